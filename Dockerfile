# syntax=docker/dockerfile:1
# The current LTS of Node, exact. `deploy/README.md` says how to pin both images by digest where a registry is at hand.
FROM node:26.10.0-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ libjemalloc2 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
COPY scripts/*.mjs ./scripts/
COPY src ./src
RUN npm ci --no-audit --no-fund
# The build holds every package but the compiled ones; of these only what runs is taken along.
RUN mkdir -p /runtime/node_modules /data && cd node_modules \
 && cp -r better-sqlite3 bindings file-uri-to-path secp256k1 node-gyp-build /runtime/node_modules \
 && cd /runtime/node_modules && rm -rf better-sqlite3/deps better-sqlite3/src secp256k1/src \
 && find . -path '*/build/Release/*' ! -name '*.node' -type f -delete \
 && cp /usr/lib/*/libjemalloc.so.2 /runtime/

# A C library and nothing else: no shell, no package manager, no compiler, no TypeScript.
FROM gcr.io/distroless/cc-debian12:nonroot
ENV NODE_ENV=production HOST=0.0.0.0 DATABASE_URL=sqlite:/data/token-risk.db
# Gives back what a burst of requests took: deploy/README.md says why.
ENV LD_PRELOAD=/usr/local/lib/libjemalloc.so.2
ENV MALLOC_CONF=background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0,narenas:2
WORKDIR /app
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /runtime/libjemalloc.so.2 /usr/local/lib/
COPY --from=build /app/package.json ./
COPY --from=build /runtime/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build --chown=65532:65532 /data /data
# Writes go to /data and nowhere else: run it with a read-only root.
USER 65532:65532
VOLUME /data
EXPOSE 3402
# Longer than the drain, which takes 60 seconds at most: `docker stop --time 75`.
STOPSIGNAL SIGTERM
HEALTHCHECK CMD ["/usr/local/bin/node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||3402)+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node"]
CMD ["dist/main.js"]
