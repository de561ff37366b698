// SPDX-License-Identifier: Apache-2.0
// The program of the reader thread (adResponseReader.ts). Returns each parsed response as JSON: parsing JSON is several
// times faster than the structured clone of the same value.
import { parentPort, workerData } from 'node:worker_threads';
import type { ResponseLimits } from '../../vast/read/limitResponse.ts';
import { type AdResponseBytes, readAdResponse } from '../../vast/read/readAdResponse.ts';

export type WorkerRequest = AdResponseBytes & { readonly id: number };
export type WorkerResponse = { readonly id: number; readonly json: string };

const limits = workerData as ResponseLimits;

parentPort!.on('message', ({ id, ...response }: WorkerRequest) => {
  const read: WorkerResponse = { id, json: JSON.stringify(readAdResponse(response, limits)) };
  parentPort!.postMessage([read]);
});
