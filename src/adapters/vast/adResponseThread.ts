// SPDX-License-Identifier: Apache-2.0
// The program of the reader thread (adResponseReader.ts). Returns each parsed response as JSON: parsing JSON is several
// times faster than the structured clone of the same value.
import { parentPort, workerData } from 'node:worker_threads';
import { defined } from '../../invariant.ts';
import type { ResponseLimits } from '../../vast/read/readAdResponse.ts';
import { type AdResponseBytes, readAdResponse } from '../../vast/read/readAdResponse.ts';

export type ThreadRequest = AdResponseBytes & { readonly id: number };
export type ThreadResponse = { readonly id: number; readonly json: string };

const limits = workerData as ResponseLimits;

const port = defined(parentPort, 'the program runs in a thread');
port.on('message', ({ id, ...response }: ThreadRequest) => {
  const read: ThreadResponse = { id, json: JSON.stringify(readAdResponse(response, limits)) };
  port.postMessage([read]);
});
