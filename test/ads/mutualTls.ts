// SPDX-License-Identifier: Apache-2.0
// Servers over TLS that require client certificates, and an authority that issues certificates.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { findFreePort } from '../../demo/listen.ts';
import type { KeyPair } from '../../src/ads/request/ports.ts';

export type Authority = {
  readonly ca: string;
  /** @param days until it expires; -1 for one that has expired */
  issue(name: string, days?: number): KeyPair;
};

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** @param folder of the files; one for each authority */
export function createAuthority(folder: string): Authority {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=authority.test',
    '-days',
    '2',
  );
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
  return {
    ca: read('ca.pem'),
    issue(name, days = 2) {
      openssl('req', '-new', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
      const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', `${days}`];
      openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.pem`);
      return { certificate: read(`${name}.pem`), key: read(`${name}.key`) };
    },
  };
}

/** The name in the certificate that the client of a request has presented; empty without one. */
export const presentedName = (socket: unknown): string => {
  const { subject } = (socket as TLSSocket).getPeerCertificate();
  return String(subject?.CN ?? '');
};

export type TlsServer = { readonly port: number; close(): Promise<void> };

/** @param options `rejectUnauthorized`: whether connections without a valid client certificate are closed */
export async function startTlsServer(
  { ca, issue }: Authority,
  respond: RequestListener,
  options: ServerOptions = {},
): Promise<TlsServer> {
  const { certificate: cert, key } = issue('server');
  const server = createServer({ cert, key, ca, requestCert: true, ...options }, respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A server that explains with an alert why it rejects a client certificate; those of Node.js only close the connection. */
export async function startAlertingServer({ issue }: Authority, folder: string): Promise<TlsServer> {
  issue('server');
  const port = await findFreePort(0);
  const options = ['-accept', `127.0.0.1:${port}`, '-cert', 'server.pem', '-key', 'server.key', '-CAfile', 'ca.pem'];
  const verify = ['-Verify', '1', '-verify_return_error', '-www', '-quiet'];
  const server = spawn('openssl', ['s_server', ...options, ...verify], { cwd: folder, stdio: 'ignore' });
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  while (!(await isListening())) await wait(20);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.once('exit', () => resolve());
        server.kill();
      }),
  };
}
