// SPDX-License-Identifier: Apache-2.0
// The tracking thread of the benchmark's server, with a loader for TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./benchTrackingThread.ts');
