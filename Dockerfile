# The image contains the published package with the dependencies of package-lock.json.
FROM node:26-slim AS pack
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm pack --silent && tar -xzf castellan-*.tgz

FROM node:26-slim AS install
WORKDIR /app
COPY --from=pack /source/package.json /source/package-lock.json /source/.npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:26-slim
WORKDIR /app
COPY --from=install /app/node_modules ./node_modules
COPY --from=pack /source/package ./
RUN install -d -o node -g node -m 0700 /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 CASTELLAN_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "const { PORT = 3000, CASTELLAN_METRICS_PORT: metrics = 9464 } = process.env; fetch(`http://127.0.0.1:${metrics === 'off' ? PORT : metrics}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["serve"]
