# An image for SageMaker's hosting contract, and for anybody who wants a server:
#   docker build -t ganglion .
#   docker run -p 8080:8080 -v MODEL:/opt/ml/model ganglion serve
FROM debian:bookworm AS build
COPY scripts/install-packages /source/scripts/
RUN /source/scripts/install-packages
COPY . /source
WORKDIR /source
RUN cmake --preset release -DGANGLION_TESTS=OFF \
 && cmake --build build/release --target ganglion \
 && install -D build/release/bin/ganglion /image/ganglion

FROM debian:bookworm-slim
# What `ldd ganglion` names; scripts/check-image compares.
RUN apt-get update -q \
 && apt-get install -y -q --no-install-recommends \
      ca-certificates libarchive13 libcaf-core0.17 libcurl4 libfmt9 libicu72 \
      libonig5 libprometheus-cpp-core1.0 libsentencepiece0 libsimdjson14 \
      libspdlog1.10 libssl3 libstdc++6 libtbb12 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /image/ganglion /usr/local/bin/ganglion

# SageMaker may name another port than 8080 (SAGEMAKER_BIND_TO_PORT).
LABEL com.amazonaws.sagemaker.capabilities.accept-bind-to-port=true
EXPOSE 8080
# Reachable from outside, and silent before the model is loaded: SageMaker
# sends requests once /ping answers. Whatever the user sets is stronger.
ENV SERVING_INFERENCE_ADDRESS=http://0.0.0.0:8080 \
    SERVING_WAIT_MODEL_LOADING=true \
    XDG_CACHE_HOME=/tmp
# The process itself gets SIGTERM, and ends when running requests have.
ENTRYPOINT ["/usr/local/bin/ganglion"]
CMD ["serve"]
