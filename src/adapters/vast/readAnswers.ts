// Runs in a thread of its own (answerReader.ts): reads one answer after the other, and returns each as JSON, which is parsed
// several times faster than the same value is cloned between threads.
import { parentPort, workerData } from 'node:worker_threads';
import type { AnswerLimits } from '../../vast/read/boundAnswer.ts';
import { type AnswerBytes, readAnswer } from '../../vast/read/readAnswer.ts';

export type SentAnswer = AnswerBytes & { readonly id: number };
export type ReadJson = { readonly id: number; readonly json: string };

const limits = workerData as AnswerLimits;

parentPort!.on('message', ({ id, ...answer }: SentAnswer) => {
  const read: ReadJson = { id, json: JSON.stringify(readAnswer(answer, limits)) };
  parentPort!.postMessage([read]);
});
