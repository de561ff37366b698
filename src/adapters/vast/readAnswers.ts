// Runs in a thread of its own (answerReader.ts): reads one answer after the other, and returns each as JSON, which is parsed
// several times faster than the same value is cloned between threads.
import { parentPort, workerData } from 'node:worker_threads';
import type { ResponseLimits } from '../../vast/read/limitResponse.ts';
import { type AdResponseBytes, readAdResponse } from '../../vast/read/readAdResponse.ts';

export type SentAnswer = AdResponseBytes & { readonly id: number };
export type ReadJson = { readonly id: number; readonly json: string };

const limits = workerData as ResponseLimits;

parentPort!.on('message', ({ id, ...answer }: SentAnswer) => {
  const read: ReadJson = { id, json: JSON.stringify(readAdResponse(answer, limits)) };
  parentPort!.postMessage([read]);
});
