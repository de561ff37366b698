// SPDX-License-Identifier: Apache-2.0
// The thread's entry when the server runs from source: TypeScript needs a loader there. In a bundle,
// adResponseThread.ts itself has this name (scripts/buildServer.mjs).
import { register } from 'tsx/esm/api';

register();
await import('./adResponseThread.ts');
