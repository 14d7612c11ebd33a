# syntax=docker/dockerfile:1
# The notification service: docker build --tag trestle .
FROM node:22-bookworm-slim AS build
ENV TURBO_TELEMETRY_DISABLED=1
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund --include-workspace-root \
    --workspace @trestle/protocol --workspace @trestle/html --workspace @trestle/json-schema \
    --workspace @trestle/run-rules --workspace @trestle/templates --workspace @trestle/worker-pool \
    --workspace @trestle/bridge-client --workspace @trestle/inbound-mail --workspace @trestle/studio \
    --workspace @trestle/service
RUN npx turbo run build --output-logs=errors-only --filter=@trestle/service
RUN node deploy/image-tree.mjs /app && mkdir /data

# No shell and no package manager; the user has the number 65532.
FROM gcr.io/distroless/nodejs22-debian12:nonroot
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3737 SERVICE_DATA_FOLDER=/data
# The base image has no `node` in its path; deploy/kubernetes/deployment.yaml runs it by name.
ENV PATH=/nodejs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /app
COPY --from=build --chown=65532:65532 /data /data
COPY --from=build /app /app
USER 65532:65532
# The embedded database and the encryption key; empty if PostgreSQL and SERVICE_ENCRYPTION_KEY are set.
VOLUME /data
EXPOSE 3737
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 CMD ["/nodejs/bin/node", "/app/health-check.mjs"]
ENTRYPOINT ["/nodejs/bin/node", "/app/node_modules/@trestle/service/dist/bin.js"]
