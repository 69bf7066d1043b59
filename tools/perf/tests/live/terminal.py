#!/usr/bin/env python3
# A shell's part in job control: runs a command in the foreground of a terminal of its own, presses Ctrl-Z once the file "beats" has
# grown to ten lines, looks whether it still grows, continues the job and waits for its end. What it saw goes to "seen".
import os, pty, signal, sys, time

def shell():
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(sys.argv[1], sys.argv[1:])
    try:
        os.setpgid(job, job)
    except OSError:
        pass  # it was faster
    status = os.waitpid(job, os.WUNTRACED)[1]
    before = os.path.getsize('beats')
    time.sleep(0.2)
    with open('seen', 'w') as f:
        print('stopped by', os.WIFSTOPPED(status) and os.WSTOPSIG(status), file=f)
        print('grew by', os.path.getsize('beats') - before, file=f)
        os.tcsetpgrp(0, job)
        os.kill(-job, signal.SIGCONT)
        print('ended with', os.waitstatus_to_exitcode(os.waitpid(job, 0)[1]), file=f)

pid, master = pty.fork()
if pid == 0:
    shell()
    os._exit(0)
while not os.path.exists('beats') or os.path.getsize('beats') < 70:
    time.sleep(0.02)
os.write(master, b'\x1a')
try:
    while os.read(master, 4096):
        pass
except OSError:
    pass  # the terminal's end
os.waitpid(pid, 0)
