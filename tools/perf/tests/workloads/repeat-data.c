// SPDX-License-Identifier: GPL-2.0-only
/*
 * repeat-data FILE TIMES OUT: a perf.data like FILE with its records TIMES times one after the
 * other, each round later in time than the one before. Host byte order, file mode, no compression.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

struct section {
	uint64_t offset, size;
};

struct header {
	uint64_t magic, size, attr_size;
	struct section attrs, data, types;
	uint64_t features[4];
};

static const struct perf_event_attr *attr;

/* Where a record's time stands, from its start; 0: it has none. */
static size_t time_at(const struct perf_event_header *h)
{
	uint64_t t = attr->sample_type;
	size_t at;

	if (!(t & PERF_SAMPLE_TIME))
		return 0;
	if (h->type == PERF_RECORD_SAMPLE) {
		at = sizeof(*h) + 8 * (!!(t & PERF_SAMPLE_IDENTIFIER) + !!(t & PERF_SAMPLE_IP) +
				       !!(t & PERF_SAMPLE_TID));
	} else if (h->type < 64 && attr->sample_id_all) {
		at = 8 * (1 + !!(t & PERF_SAMPLE_ID) + !!(t & PERF_SAMPLE_STREAM_ID) +
			  !!(t & PERF_SAMPLE_CPU) + !!(t & PERF_SAMPLE_IDENTIFIER));
		at = at < h->size ? h->size - at : 0;
	} else {
		return 0;
	}
	return at + 8 <= h->size ? at : 0;
}

int main(int argc, char **argv)
{
	int times = argc == 4 ? atoi(argv[2]) : 0, in = times ? open(argv[1], O_RDONLY) : -1, n = 0;
	uint64_t first = UINT64_MAX, last = 0, moved;
	struct section *features;
	struct header *h;
	struct stat st;
	char *map, *data;
	FILE *out;

	if (in < 0 || fstat(in, &st) || (size_t)st.st_size < sizeof(*h)) {
		fprintf(stderr, "usage: repeat-data FILE TIMES OUT\n");
		return 1;
	}
	map = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, in, 0);
	out = fopen(argv[3], "w");
	if (map == MAP_FAILED || !out) {
		perror("repeat-data");
		return 1;
	}
	h = (struct header *)map;
	attr = (const void *)(map + h->attrs.offset);
	data = map + h->data.offset;
	features = (struct section *)(data + h->data.size);
	for (int i = 0; i < 256; i++)
		n += h->features[i / 64] >> i % 64 & 1;
	moved = h->data.size * (times - 1);
	for (int i = 0; i < n; i++)
		features[i].offset += moved;
	h->data.size *= times;
	fwrite(map, 1, data - map, out);
	h->data.size /= times;
	for (int round = 0; round < times; round++) {
		for (uint64_t off = 0; off < h->data.size;) {
			struct perf_event_header *r = (void *)(data + off);
			size_t at = time_at(r);
			uint64_t *time = at ? (uint64_t *)((char *)r + at) : NULL;

			if (r->size < sizeof(*r))
				break;
			if (time && *time && round == 0) {
				first = *time < first ? *time : first;
				last = *time > last ? *time : last;
			} else if (time && *time) {
				*time += last - first + 1000;
			}
			off += r->size;
		}
		fwrite(data, 1, h->data.size, out);
	}
	fwrite(features, 1, map + st.st_size - (char *)features, out);
	return fclose(out) ? 1 : 0;
}
