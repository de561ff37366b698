// SPDX-License-Identifier: Apache-2.0
import type { RequestListener } from 'node:http';
import { afterAll, onTestFinished } from 'vitest';
import { startServer } from '../demo/listen.ts';

async function serve(respond: RequestListener, atEnd: (close: () => Promise<void>) => unknown): Promise<string> {
  const { url, close } = await startServer(respond);
  atEnd(close);
  return url;
}

/** Serves until the test that calls this has ended. @returns the URL, such as `http://127.0.0.1:40123` */
export const serveInTest = (respond: RequestListener): Promise<string> => serve(respond, onTestFinished);

/** Serves until the tests of the file have ended. */
export const serveInTests = (respond: RequestListener): Promise<string> => serve(respond, afterAll);
