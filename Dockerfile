# SPDX-License-Identifier: Apache-2.0
# The image of Midroll: docs/deploy/containers.md. Build it with `docker build -t midroll .`
ARG NODE_IMAGE=docker.io/library/node:22-bookworm-slim

FROM ${NODE_IMAGE} AS build
# SQLite comes as a prebuilt binary. Where none can be downloaded, it is compiled, against the headers of this Node.
RUN apt-get update \
  && apt-get install -y --no-install-recommends g++ make python3 \
  && rm -rf /var/lib/apt/lists/*
ENV npm_config_nodedir=/usr/local
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json console/
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN npm run build
# Only what runs: no demo, no source maps, no development packages, no sources and intermediate files of SQLite.
RUN rm -rf dist/demo.js dist/players dist/*.map \
  && npm pkg delete workspaces \
  && npm prune --omit=dev --no-audit --no-fund \
  && cd node_modules/better-sqlite3 \
  && mv build/Release/better_sqlite3.node . \
  && rm -rf build deps src \
  && mkdir -p build/Release \
  && mv better_sqlite3.node build/Release/ \
  && node -e "new (require('.'))(':memory:').close()"

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Midroll" \
  org.opencontainers.image.description="Server-side ad insertion for HLS and DASH" \
  org.opencontainers.image.licenses="Apache-2.0"
# ffmpeg depends on drivers of graphics cards, which it never loads here: a fifth of the image.
# /data is writable for every user id, like /tmp, so that the image runs with `--user`.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* /usr/lib/*/dri /usr/lib/*/libLLVM* /usr/lib/*/libz3* \
  && ffmpeg -version > /dev/null \
  && install -d -m 1777 /data \
  && ln -s /app/dist/midroll.js /usr/local/bin/midroll
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/console/dist ./console/dist
COPY --from=build /app/dist ./dist
COPY deploy/container/isHealthy.mjs ./
ENV NODE_ENV=production \
  NODE_OPTIONS=--max-semi-space-size=64 \
  HOST=0.0.0.0 \
  DATA_DIR=/data
# The user "node" of the base image, as a number: Kubernetes cannot check that a name is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080 8081
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/isHealthy.mjs"]
# No shell: node is process 1, and receives the SIGTERM of `docker stop` itself.
ENTRYPOINT ["node", "/app/dist/midroll.js"]
CMD ["serve"]
