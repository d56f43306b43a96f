// Serves dist beside a running `stiction view`: SERVER=http://127.0.0.1:7801 npx vite preview --config dev/vite.proxy.config.ts --port 5101
import { defineConfig } from "vite";

const server = process.env.SERVER ?? "http://127.0.0.1:7801";

export default defineConfig({
  base: "./",
  build: { outDir: process.env.DIST ?? "dist" },
  preview: {
    host: "127.0.0.1",
    proxy: {
      "/api": {
        target: server,
        ws: true,
        changeOrigin: true,
        headers: { origin: server },
        configure: (proxy) => {
          proxy.on("proxyReqWs", (request) => request.setHeader("origin", server));
        },
      },
    },
  },
});
