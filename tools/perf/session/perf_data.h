/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.data on disk and in a pipe: the numbers and layouts that are fixed by files in the field.
 * Source of the format: what upstream perf writes, from 2.6.31 (PERFFILE) to 6.18. The page
 * Documentation/perf.data-format.adoc describes it in words.
 */
#ifndef PERF_SESSION_PERF_DATA_H
#define PERF_SESSION_PERF_DATA_H

#include <linux/perf_event.h>

#include "compiler.h"

#define PERF_MAGIC2 0x32454c4946524550ULL	  /* "PERFILE2" read on a little-endian host */
#define PERF_MAGIC2_SWAPPED 0x50455246494c4532ULL /* the same from the other byte order */
#define PERF_MAGIC1 "PERFFILE" /* the magic until 3.4; same bytes in both orders */

/* Where an attr layout ended in each version of the kernel's header; sizes between are legal. */
#define PERF_ATTR_SIZE_MIN PERF_ATTR_SIZE_VER0
#define PERF_ATTR_SIZE_MAX 4096 /* no attr can be as large as this */

struct perf_file_section {
	u64 offset, size; /* bytes from the start of the file */
};

#define PERF_FEAT_BITS 256

struct perf_file_header {
	u64 magic;
	u64 size;      /* of this header: 104, or 16 in a pipe */
	u64 attr_size; /* of one entry of attrs: the attr and its ids section (old files: the attr's
			  own size may be smaller) */
	struct perf_file_section attrs;
	struct perf_file_section data;
	struct perf_file_section event_types; /* only files before 3.12 fill it */
	u64 features[PERF_FEAT_BITS / 64];
};

struct perf_pipe_header {
	u64 magic, size;
};

enum perf_feature {
	FEAT_RESERVED = 0,
	FEAT_TRACING_DATA = 1,
	FEAT_BUILD_ID,
	FEAT_HOSTNAME,
	FEAT_OSRELEASE,
	FEAT_VERSION,
	FEAT_ARCH,
	FEAT_NRCPUS,
	FEAT_CPUDESC,
	FEAT_CPUID,
	FEAT_TOTAL_MEM,
	FEAT_CMDLINE,
	FEAT_EVENT_DESC,
	FEAT_CPU_TOPOLOGY,
	FEAT_NUMA_TOPOLOGY,
	FEAT_BRANCH_STACK,
	FEAT_PMU_MAPPINGS,
	FEAT_GROUP_DESC,
	FEAT_AUXTRACE,
	FEAT_STAT,
	FEAT_CACHE,
	FEAT_SAMPLE_TIME,
	FEAT_MEM_TOPOLOGY,
	FEAT_CLOCKID,
	FEAT_DIR_FORMAT,
	FEAT_BPF_PROG_INFO,
	FEAT_BPF_BTF,
	FEAT_COMPRESSED,
	FEAT_CPU_PMU_CAPS,
	FEAT_CLOCK_DATA,
	FEAT_HYBRID_TOPOLOGY,
	FEAT_PMU_CAPS,
	FEAT_LAST, /* what this reader knows; higher bits are skipped */
};

/* Records of the tool: types from 64 on. */
enum perf_tool_record {
	PERF_RECORD_TOOL_START = 64,
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_HEADER_EVENT_TYPE = 65, /* deprecated */
	PERF_RECORD_HEADER_TRACING_DATA = 66,
	PERF_RECORD_HEADER_BUILD_ID = 67,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_ID_INDEX = 69,
	PERF_RECORD_AUXTRACE_INFO = 70,
	PERF_RECORD_AUXTRACE = 71,
	PERF_RECORD_AUXTRACE_ERROR = 72,
	PERF_RECORD_THREAD_MAP = 73,
	PERF_RECORD_CPU_MAP = 74,
	PERF_RECORD_STAT_CONFIG = 75,
	PERF_RECORD_STAT = 76,
	PERF_RECORD_STAT_ROUND = 77,
	PERF_RECORD_EVENT_UPDATE = 78,
	PERF_RECORD_TIME_CONV = 79,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_COMPRESSED = 81,
	PERF_RECORD_FINISHED_INIT = 82,
	PERF_RECORD_COMPRESSED2 = 83,
	PERF_RECORD_BPF_METADATA = 84,
	PERF_RECORD_TOOL_MAX, /* higher types are counted as unknown and skipped */
};

#ifndef PERF_RECORD_MISC_BUILD_ID_SIZE
#define PERF_RECORD_MISC_BUILD_ID_SIZE                            \
	(1 << 15) /* a build-id record that tells the id's length \
		   */
#endif

struct perf_rec_build_id {
	struct perf_event_header header;
	s32 pid; /* -1: the host; else the guest kernel's */
	u8 build_id[20];
	u8 size; /* with PERF_RECORD_MISC_BUILD_ID_SIZE; older files: 20 */
	u8 reserved[3];
	/* char filename[], padded with zeros to 8 bytes */
};

struct perf_rec_feature {
	struct perf_event_header header;
	u64 feat_id;
	/* the feature's section follows */
};

struct perf_rec_tracing_data {
	struct perf_event_header header;
	u32 size; /* of the data that follows the record, which is padded to 8 bytes */
};

struct perf_rec_auxtrace {
	struct perf_event_header header;
	u64 size; /* of the trace that follows the record */
	u64 offset, reference;
	u32 idx, tid, cpu, reserved;
};

struct perf_rec_compressed2 {
	struct perf_event_header header;
	u64 data_size; /* of the zstd bytes that follow; then zeros up to header.size */
};

enum perf_event_update_type {
	PERF_EVENT_UPDATE_UNIT = 0,
	PERF_EVENT_UPDATE_SCALE = 1,
	PERF_EVENT_UPDATE_NAME = 2,
	PERF_EVENT_UPDATE_CPUS = 3,
};

struct perf_rec_event_update {
	struct perf_event_header header;
	u64 type; /* enum perf_event_update_type */
	u64 id;	  /* of the event that is meant */
		  /* char name[], double scale, or a CPU map follows */
};

struct perf_rec_time_conv {
	struct perf_event_header header;
	u64 time_shift, time_mult, time_zero; /* ns = time_zero + (tsc * time_mult >> time_shift) */
	u64 time_cycles, time_mask;	      /* only where header.size holds them */
	u8 cap_user_time_zero, cap_user_time_short;
};

/*
 * Symbols carried in the file (`perf record --embed-symbols`): a section behind everything that
 * upstream's header points to, found from the last 24 bytes of the file. Upstream reads by its
 * header only, so that it never sees it.
 */
#define PERF_EMBED_MAGIC "PERFSYM1"
struct perf_embed_trailer {
	u64 offset, size; /* of the section, from the start of the file; in the file's byte order */
	char magic[8];	  /* PERF_EMBED_MAGIC, in the last 8 bytes of the file */
};

#endif
