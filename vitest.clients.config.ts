// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

// Generated clients in other languages: `npm run test:clients`. Not part of the check, because it downloads their generators.
export default defineConfig({
  test: { include: ['test/clients/*.client.ts'], testTimeout: 600_000, hookTimeout: 600_000 },
});
