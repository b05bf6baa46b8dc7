# PostgreSQL of Debian with the part of the official image's contract that compose.yaml uses: user 999, places, entry point.
FROM debian:trixie-slim
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/17/bin PGDATA=/var/lib/postgresql/data
# The compiler of queries (jit) is off in compose.yaml; its library is a third of the image.
RUN groupadd --system --gid 999 postgres \
    && useradd --system --gid 999 --uid 999 --home-dir /var/lib/postgresql postgres \
    && mkdir -p /etc/postgresql-common \
    && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf \
    && echo 'path-exclude=/usr/lib/*/libLLVM*' >/etc/dpkg/dpkg.cfg.d/without-jit \
    && apt-get update && apt-get install -y --no-install-recommends postgresql-17 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
    && install -d -m 1777 -o 999 -g 999 "$PGDATA" && install -d -m 3777 -o 999 -g 999 /run/postgresql
COPY postgres-entrypoint /usr/local/bin/docker-entrypoint.sh
RUN chmod 755 /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/postgresql/data
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
