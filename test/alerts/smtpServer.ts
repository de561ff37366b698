// SPDX-License-Identifier: Apache-2.0
// A mail server that keeps what it receives, and servers that misbehave.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { listenFrom } from '../../demo/listen.ts';

export type Mail = { readonly from: string; readonly to: readonly string[]; readonly text: string };

export type MailServer = {
  /** Without user and password. */
  readonly address: string;
  readonly received: Mail[];
  close(): Promise<void>;
};

/** Signed by itself, as those of many mail servers. */
function certificate(): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-mail-'));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key', '-out', 'cert'];
  execFileSync('openssl', ['req', '-x509', '-subj', '/CN=mail.test', ...key], { cwd: folder, stdio: 'ignore' });
  const made = { key: readFileSync(join(folder, 'key')), cert: readFileSync(join(folder, 'cert')) };
  rmSync(folder, { recursive: true });
  return made;
}

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: Mail[] = [];
  const server = new SMTPServer({
    ...certificate(),
    authOptional: true,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        // Quoted-printable: long lines are broken.
        const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  const { host: address } = new URL(await listenFrom(server.server, 0));
  return {
    address,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A server that responds to each line of a client. @param respond returns what is sent; undefined for nothing */
export async function startStrangeServer(
  greet: string | ((socket: Socket) => void) | undefined,
  respond: (line: string, socket: Socket) => string | undefined,
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (typeof greet === 'string') socket.write(greet);
    else greet?.(socket);
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const reply = respond(line, socket);
        if (reply !== undefined && socket.writable) socket.write(`${reply}\r\n`);
      }
    });
  });
  const { host: address } = new URL(await listenFrom(server, 0));
  return {
    address,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
