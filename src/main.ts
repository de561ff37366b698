// SPDX-License-Identifier: Apache-2.0
// The server as a program of its own, built as dist/main.js: the same as `midroll serve`.
import { serve } from './serve.ts';

await serve(process.env);
