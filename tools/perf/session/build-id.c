// SPDX-License-Identifier: GPL-2.0-only
/* Build ids of the running kernel and its modules. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session/build-id.h"

static bool from_notes(const u8 *buf, size_t n, struct build_id *id)
{
	size_t at = 0;

	while (at + sizeof(Elf64_Nhdr) <= n) {
		Elf64_Nhdr h;
		size_t name = at + sizeof(h), desc;

		memcpy(&h, buf + at, sizeof(h));
		desc = name + ((h.n_namesz + 3ULL) & ~3ULL);
		if (h.n_namesz > n || h.n_descsz > n || desc + h.n_descsz > n)
			return false;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    !memcmp(buf + name, "GNU", 4) && h.n_descsz <= sizeof(id->data)) {
			memset(id, 0, sizeof(*id));
			id->size = h.n_descsz;
			memcpy(id->data, buf + desc, h.n_descsz);
			return true;
		}
		at = desc + ((h.n_descsz + 3ULL) & ~3ULL);
	}
	return false;
}

bool build_id__of_notes(const char *path, struct build_id *id)
{
	u8 buf[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, sizeof(buf));

	if (fd >= 0)
		close(fd);
	return n > 0 && from_notes(buf, n, id);
}

bool build_id__of_kernel(struct build_id *id)
{
	return build_id__of_notes("/sys/kernel/notes", id);
}

bool build_id__of_module(const char *path, struct build_id *id)
{
	const char *base = strrchr(path, '/');
	char name[128], notes[256];
	size_t n = 0;

	/* "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz" and "[ext4]": ext4 */
	base = base ? base + 1 : path + (path[0] == '[');
	for (; base[n] && base[n] != '.' && base[n] != ']' && n + 1 < sizeof(name); n++)
		name[n] = base[n] == '-' ? '_' : base[n];
	name[n] = '\0';
	snprintf(notes, sizeof(notes), "/sys/module/%s/notes/.note.gnu.build-id", name);
	return build_id__of_notes(notes, id);
}
