# grantwise as a container image, made of the packed package:
#
#     npm run pack && docker build -t grantwise .
#
# Nothing runs while it is built: any machine builds it for every platform of the base.

# Node on Debian, without a shell or a package manager.
ARG BASE=gcr.io/distroless/nodejs24-debian13:nonroot@sha256:fbbdda866ea71aef98c4abece17e3d61fbf820cc2ef3961522caa2478716171a
FROM ${BASE}

# The archive of the package is unpacked to /opt/package.
ADD grantwise-*.tgz /opt/

# A folder of policies is mounted here. Nothing else is read, and nothing is written but what a command names: compiled code would be gone
# with the container.
WORKDIR /work
ENV NODE_DISABLE_COMPILE_CACHE=1
USER 65532:65532

# Of the emulator: `serve --host 0.0.0.0 --allow-remote`. Other commands end before it is asked.
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:8765/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["/nodejs/bin/node", "/opt/package/bin/grantwise.js"]
CMD ["--help"]
