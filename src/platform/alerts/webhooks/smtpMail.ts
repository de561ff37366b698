// SPDX-License-Identifier: Apache-2.0
// Sends e-mail through the server of SMTP_URL, one connection for each message. The server belongs to the operator, like the
// database, so the egress guard does not apply to it.
import { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { withDeadline } from '../../../adapters/http/followRedirects.ts';
import { systemTimers } from '../../../adapters/systemClock.ts';
import type { Timers } from '../../../time/clock.ts';
import type { SendResult } from './delivery.ts';
import type { SendAs } from './ports.ts';

const TIMEOUT_MS = 30_000;
const MAX_REASON_CHARACTERS = 200;

export type SmtpSettings = {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  readonly url: string;
  readonly from: string;
};

type SmtpFailure = Error & { readonly code?: string; readonly responseCode?: number; readonly response?: string };
type Result = Omit<SendResult, 'durationMs'>;

const reasons: Readonly<Record<string, string>> = {
  ECONNECTION: 'could not be reached',
  ECONNREFUSED: 'refused the connection',
  ESOCKET: 'could not be reached, or closed the connection',
  EDNS: 'has a host name that could not be resolved',
  ETIMEDOUT: 'did not respond in time',
  ETLS: 'offers no valid TLS connection',
  EAUTH: 'rejected the user or the password',
  EPROTOCOL: 'did not send a valid SMTP response',
};

/** What the server has rejected for good, as opposed to the connection, the login or the moment. */
const isRejected = ({ code, responseCode = 0 }: SmtpFailure): boolean =>
  (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;

function failureOf(error: unknown): Result {
  const failure = error as SmtpFailure;
  const { code = '', responseCode: status, response } = failure;
  const excerpt = response?.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, MAX_REASON_CHARACTERS);
  return {
    reason: reasons[code] ?? (status === undefined ? 'could not be used' : `returned status ${status}`),
    ...(status === undefined ? {} : { status }),
    ...(excerpt ? { excerpt } : {}),
    ...(isRejected(failure) ? { isPermanent: true } : {}),
  };
}

/**
 * A password is sent over TLS with a valid certificate only. Without one, whatever encryption the server offers is better than
 * none (RFC 7435). Options in the query of the URL replace these.
 */
function optionsOf(url: string, ms: number): object {
  const { username, protocol, searchParams: own } = new URL(url);
  const hasLogin = username !== '';
  const isVerified = hasLogin || protocol === 'smtps:' || own.has('tls.rejectUnauthorized');
  return {
    url,
    ...(own.has('requireTLS') ? {} : { requireTLS: hasLogin }),
    ...(isVerified ? {} : { tls: { rejectUnauthorized: false } }),
    connectionTimeout: ms,
    greetingTimeout: ms,
    socketTimeout: ms,
    dnsTimeout: ms,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** @param settings undefined: every message fails, until SMTP_URL is set */
export function createSmtpMail(
  settings: SmtpSettings | undefined,
  { timeoutMs: ms = TIMEOUT_MS, timers = systemTimers }: { timeoutMs?: number; timers?: Timers } = {},
): SendAs<'mail'> {
  return async ({ to, subject, text, isUrgent, id, thread }) => {
    const startedAt = timers.elapsed();
    if (settings === undefined) return { durationMs: 0, reason: 'cannot be reached: SMTP_URL is not set' };
    const { url, from } = settings;
    // A socket of its own can be ended at the deadline, whatever the server sends until then.
    const socket = new Socket();
    const transport = createTransport({ ...optionsOf(url, ms), socket });
    const domain = from.replace(/^.*@/, '').replace(/[^\w.-]/g, '');
    const work = async (signal: AbortSignal): Promise<Result> => {
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
      const sent = transport.sendMail({
        from,
        to: [...to],
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        references: `<${thread}@${domain}>`,
        ...(isUrgent ? { priority: 'high' as const } : {}),
        headers: { 'auto-submitted': 'auto-generated' },
      });
      const { rejected } = await Promise.race([sent, stopped]);
      if (rejected.length === 0) return { status: 250 };
      return { status: 250, reason: `rejected ${rejected.length} of ${to.length} addresses` };
    };
    const result = await withDeadline<Result>({ timers, ms, reason: 'did not respond in time' }, work, (error) =>
      'failure' in (error as object) ? { reason: 'did not respond in time' } : failureOf(error),
    );
    socket.destroy();
    return { durationMs: Math.round(timers.elapsed() - startedAt), ...result };
  };
}
