/** What `deploy/run.sh` sets for the C library, for services that are started without it. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** Where jemalloc is not installed. */
export const GLIBC = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_TRIM_THRESHOLD_: "131072",
  MALLOC_MMAP_THRESHOLD_: "65536"
}

/** Where it is; beside `LD_PRELOAD`. */
export const JEMALLOC = {
  MALLOC_CONF: "background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0,narenas:2"
}

const LIBRARIES = "/usr/lib"

const jemalloc = (existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : [])
  .map((architecture) => join(LIBRARIES, architecture, "libjemalloc.so.2"))
  .find(existsSync)

/** Whether what a burst of requests took is given back: glibc keeps much of it. */
export const GIVES_BACK = jemalloc !== undefined

/** The variables for this machine. */
export const ALLOCATOR: Readonly<Record<string, string>> =
  jemalloc === undefined ? GLIBC : { ...GLIBC, ...JEMALLOC, LD_PRELOAD: jemalloc }
