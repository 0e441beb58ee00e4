#!/bin/sh
# Starts the service, from the directory it was built in, with a C library that gives back what a burst of requests took:
# deploy/README.md says why. jemalloc is taken where it is installed; what is said to glibc counts where it is not.
export MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=65536
for library in /usr/lib/*/libjemalloc.so.2 /usr/lib/libjemalloc.so.2 /usr/lib64/libjemalloc.so.2; do
  [ -r "$library" ] || continue
  export LD_PRELOAD="$library" MALLOC_CONF=background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0,narenas:2
  break
done
exec node dist/main.js "$@"
