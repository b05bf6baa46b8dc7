import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkGroups } from "./build/chunks";
import { preloads } from "./build/preloads";

export default defineConfig({
  plugins: [react(), preloads()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    // light-dark() is used as it is: lowering it would double the palette.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The content security policy allows no data: URL but images.
    assetsInlineLimit: 0,
    // kB: Swagger UI, which only the API page loads, is the largest part.
    chunkSizeWarningLimit: 1600,
    // One file of styles: the page of a result would request more than twenty.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8420", "/healthz": "http://127.0.0.1:8420" } },
});
