// SPDX-License-Identifier: Apache-2.0
import { addAbortSignal, type Readable } from 'node:stream';
import { failure } from '../http/exchangeFailure.ts';
import { ContainerError } from './playerAccess.ts';

/** Many times the largest object that Midroll stores. */
const MAX_MEBIBYTES = 64;

/**
 * Reads the body of an object.
 * @throws {ContainerError} if it is larger than any that Midroll stores
 */
export async function readObject(body: Readable, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, body) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_MEBIBYTES * 2 ** 20)
      throw new ContainerError(failure('failed', `returned an object of more than ${MAX_MEBIBYTES} MiB`));
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
