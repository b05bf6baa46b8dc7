# Redis of Debian with the part of the official image's contract that compose.yaml uses: user 999, and /data.
FROM debian:trixie-slim
RUN groupadd --system --gid 999 redis && useradd --system --gid 999 --uid 999 --home-dir /data redis \
    && apt-get update && apt-get install -y --no-install-recommends redis-server && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
    && install -d -o 999 -g 999 /data
VOLUME /data
WORKDIR /data
CMD ["redis-server"]
