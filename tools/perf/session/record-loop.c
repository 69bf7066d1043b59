// SPDX-License-Identifier: GPL-2.0-only
/* While it runs: data, signals, the workload's end, delays, --control, --switch-output. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "session/record-internal.h"

u64 record__now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

static int writer_error(struct record *rec, int err, struct errbuf *eb)
{
	const char *line = perf_writer__error(rec->w);

	return errbuf__set(eb, err, "%s", line ? line : strerror(-err));
}

/* The file so far is finished under a name with the time, a new one begins. */
static int switch_file(struct record *rec, struct errbuf *eb)
{
	struct errbuf why = {.msg = ""};
	char *name = NULL;
	int err = rec->o->config.overwrite ? recorder__snapshot(rec->r, rec->w)
					   : recorder__drain(rec->r, rec->w);

	if (err)
		return writer_error(rec, err, eb);
	if (record__end_file(rec, &why))
		record__note(rec, "%s", why.msg);
	err = perf_writer__switch(rec->w, rec->o->switch_max_files, &name, eb);
	if (err)
		return err;
	record__status(rec, "Dump %s", name ? name : "");
	free(name);
	if (rec->o->switch_ms)
		rec->next_switch_ms = record__now_ms() + rec->o->switch_ms;
	err = record__synthesize(rec, false);
	return err ? writer_error(rec, err, eb) : 0;
}

static int handle_signals(struct record *rec, struct errbuf *eb)
{
	struct signalfd_siginfo si;
	int err = 0;

	while (!err && read(rec->signal_fd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGUSR2) {
			if (rec->o->switch_signal)
				err = switch_file(rec, eb);
		} else {
			rec->signal = si.ssi_signo;
			rec->stop = true;
		}
	}
	return err;
}

static struct evsel *find_event(struct record *rec, const char *name)
{
	struct evsel *e;

	evlist__for_each (rec->l, e)
		if (!strcmp(evsel__name(e), name))
			return e;
	return NULL;
}

static void control_enable(struct record *rec, const char *arg, bool on)
{
	struct evsel *e;

	if (!*arg) {
		record__enable(rec, on);
		fprintf(stderr, "Events %s\n", on ? "enabled" : "disabled");
		return;
	}
	e = find_event(rec, arg);
	if (!e) {
		record__note(rec, "--control: no event is called '%s'", arg);
		return;
	}
	if (on)
		evsel__enable(rec->l, e);
	else
		evsel__disable(rec->l, e);
	fprintf(stderr, "Event %s %s\n", arg, on ? "enabled" : "disabled");
}

static void control_evlist(struct record *rec)
{
	struct evsel *e;

	evlist__for_each (rec->l, e)
		fprintf(stderr, "%s\n", evsel__name(e));
}

static int handle_control(struct record *rec, struct errbuf *eb)
{
	enum control_cmd cmd;
	const char *arg;
	int err = 0;

	while (!err && (cmd = control__next(&rec->control, &arg)) != CONTROL_NONE) {
		switch (cmd) {
		case CONTROL_ENABLE:
		case CONTROL_DISABLE:
			control_enable(rec, arg, cmd == CONTROL_ENABLE);
			break;
		case CONTROL_SNAPSHOT:
			err = switch_file(rec, eb);
			break;
		case CONTROL_STOP:
			rec->stop = true;
			break;
		case CONTROL_EVLIST:
			control_evlist(rec);
			break;
		case CONTROL_CLOSED:
			control__close(&rec->control);
			rec->control.fd = -1;
			return 0;
		case CONTROL_UNKNOWN:
			record__note(rec, "--control: no such command '%s'", arg);
			continue;
		case CONTROL_PING:
		case CONTROL_NONE:
			break;
		}
		control__ack(&rec->control);
	}
	return err;
}

/* Turns events on and off by -D; returns ms until the next change, -1: none. */
static int run_delays(struct record *rec)
{
	const struct record_opts *o = rec->o;

	while (rec->next_delay < o->nr_delays) {
		const struct delay_range *d = &o->delay[rec->next_delay];
		u64 now = record__now_ms() - rec->start_ms;
		u64 at = rec->delay_on ? d->to_ms : d->from_ms;

		if (rec->delay_on && !d->to_ms)
			return -1;
		if (now < at)
			return min_t(u64, at - now, 1000000000);
		rec->delay_on = !rec->delay_on;
		record__enable(rec, rec->delay_on);
		if (!rec->delay_on)
			rec->next_delay++;
		else if (!o->quiet)
			fputs("Events enabled\n", stderr);
	}
	return -1;
}

static int check_limits(struct record *rec, struct errbuf *eb)
{
	const struct record_opts *o = rec->o;

	if (perf_writer__full(rec->w)) {
		record__status(rec, "perf size limit reached (%llu KB), stopping session",
			       (unsigned long long)(perf_writer__bytes(rec->w) >> 10));
		rec->stop = true;
		return 0;
	}
	if (o->switch_size && perf_writer__bytes(rec->w) >= o->switch_size)
		return switch_file(rec, eb);
	if (o->switch_ms && record__now_ms() >= rec->next_switch_ms)
		return switch_file(rec, eb);
	return 0;
}

static int next_timeout(struct record *rec)
{
	int timeout = run_delays(rec);

	if (rec->o->switch_ms) {
		u64 now = record__now_ms();
		int left = rec->next_switch_ms > now ? (int)(rec->next_switch_ms - now) : 0;

		timeout = timeout < 0 || left < timeout ? left : timeout;
	}
	/* Without a pidfd (before Linux 5.3) the workload's end has to be asked for. */
	if (rec->work_running && workload__pidfd(rec->work) < 0 && (timeout < 0 || timeout > 50))
		timeout = 50;
	return timeout;
}

/*
 * Events of a CPU end when it goes offline, without a word from the kernel, and stay so when it
 * comes back. Returns ms until the next look, -1: none is needed.
 */
static int check_cpus(struct record *rec)
{
	const struct cpu_map *cpus = evlist__cpus(rec->l);
	u64 now = record__now_ms();
	struct cpu_map *online;

	if (cpus->cpu[0] < 0)
		return -1;
	if (now < rec->next_cpus_ms)
		return rec->next_cpus_ms - now;
	rec->next_cpus_ms = now + 1000;
	online = cpu_map__online(NULL);
	for (int c = 0; online && c < cpus->nr && c < MAX_TOLD; c++) {
		if (rec->cpu_gone[c] || cpu_map__has(online, cpus->cpu[c]))
			continue;
		rec->cpu_gone[c] = true;
		record__note(rec,
			     "CPU %d has gone offline: what it does from now on is not recorded",
			     cpus->cpu[c]);
	}
	free(online);
	return 1000;
}

static int earlier(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

int record__loop(struct record *rec, struct errbuf *eb)
{
	int err = 0;

	rec->start_ms = record__now_ms();
	rec->next_switch_ms = rec->start_ms + rec->o->switch_ms;
	if (rec->o->start_disabled)
		fputs("Events disabled\n", stderr);
	while (!rec->stop && !err) {
		struct pollfd fds[4] = {
			{.fd = recorder__fd(rec->r), .events = POLLIN},
			{.fd = rec->signal_fd, .events = POLLIN},
			{.fd = rec->work_running ? workload__pidfd(rec->work) : -1,
			 .events = POLLIN},
			{.fd = rec->control.fd, .events = POLLIN},
		};

		if (poll(fds, 4, earlier(next_timeout(rec), check_cpus(rec))) < 0 && errno != EINTR)
			return errbuf__set(eb, -errno, "poll: %s", strerror(errno));
		err = recorder__write(rec->r, rec->w);
		if (err)
			return writer_error(rec, err, eb);
		err = handle_signals(rec, eb);
		if (!err && fds[3].revents)
			err = handle_control(rec, eb);
		if (!err)
			err = check_limits(rec, eb);
		if (rec->work_running && workload__poll(rec->work, &rec->exit_code)) {
			rec->work_running = false;
			rec->stop = true;
		}
		if (recorder__ended(rec->r) && !rec->work_running)
			rec->stop = true;
	}
	return err;
}
