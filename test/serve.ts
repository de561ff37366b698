// SPDX-License-Identifier: Apache-2.0
import { createServer, type RequestListener } from 'node:http';
import { afterAll, onTestFinished } from 'vitest';
import { closeServer, listenFrom } from '../demo/listen.ts';

async function serve(respond: RequestListener, atEnd: (close: () => Promise<void>) => unknown): Promise<string> {
  const server = createServer(respond);
  atEnd(() => closeServer(server));
  return listenFrom(server, 0);
}

/** Serves until the test that calls this has ended. @returns the URL, such as `http://127.0.0.1:40123` */
export const serveInTest = (respond: RequestListener): Promise<string> => serve(respond, onTestFinished);

/** Serves until the tests of the file have ended. */
export const serveInTests = (respond: RequestListener): Promise<string> => serve(respond, afterAll);
