import { defineConfig } from "@hey-api/openapi-ts";

export default defineConfig({
  input: "../docs/openapi.json",
  output: { path: "src/api/generated", clean: true },
  plugins: [
    "@hey-api/typescript",
    { name: "@hey-api/client-fetch", runtimeConfigPath: "@/api/transport", throwOnError: true },
    { name: "@hey-api/sdk", responseStyle: "data" },
  ],
});
