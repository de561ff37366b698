// SPDX-License-Identifier: Apache-2.0
// Sends e-mail through the server of SMTP_URL, one connection for each message. The server belongs to the operator, like the
// database, so the egress guard does not apply to it.
import { Socket } from 'node:net';
import { createTransport, type Transporter } from 'nodemailer';
import { withDeadline } from '../../../adapters/http/followRedirects.ts';
import { systemTimers } from '../../../adapters/systemClock.ts';
import type { Timers } from '../../../time/clock.ts';
import type { SendResult } from './delivery.ts';
import type { SendAs } from './ports.ts';

const TIMEOUT_MS = 30_000;
const MAX_REASON_CHARACTERS = 200;
const LATE = 'did not respond in time';
const SUCCESS = 250;

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
  ETIMEDOUT: LATE,
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

type Limits = { readonly timeoutMs?: number; readonly timers?: Timers };

/** Connects for one piece of work. @param work gets a transport whose connection ends at the deadline */
async function connect(
  url: string,
  { timeoutMs: ms = TIMEOUT_MS, timers = systemTimers }: Limits,
  work: (transport: Transporter) => Promise<Result>,
): Promise<Result> {
  // A socket of its own can be ended, whatever the server sends until then.
  const socket = new Socket();
  const transport = createTransport({ ...optionsOf(url, ms), socket });
  const done = (signal: AbortSignal): Promise<Result> => {
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    return Promise.race([work(transport), stopped]);
  };
  const result = await withDeadline<Result>({ timers, ms, reason: LATE }, done, (error) =>
    'failure' in (error as object) ? { reason: LATE } : failureOf(error),
  );
  socket.destroy();
  return result;
}

/** Connects and signs in, and sends nothing. @returns what failed, as a predicate of the server */
export async function mailFault(url: string, timeoutMs: number): Promise<string | undefined> {
  const { reason, excerpt } = await connect(url, { timeoutMs }, async (transport) => {
    await transport.verify();
    return {};
  });
  return reason && [reason, excerpt].filter((text) => text !== undefined).join(': ');
}

type MailOptions = Limits & {
  /** Called when the server begins to fail, and when it works again. */
  readonly log?: (message: string, facts: Record<string, unknown>) => void;
};

/** @param settings undefined: every message fails, until SMTP_URL is set */
export function createSmtpMail(settings: SmtpSettings | undefined, options: MailOptions = {}): SendAs<'mail'> {
  const { timers = systemTimers, log } = options;
  let isFailing = false;
  function note({ reason, status, isPermanent }: Result): void {
    const fails = reason !== undefined && status !== SUCCESS && !isPermanent;
    if (fails && !isFailing) log?.('the mail server of SMTP_URL fails; e-mail about alerts waits', { reason, status });
    if (!fails && isFailing) log?.('the mail server of SMTP_URL works again', {});
    isFailing = fails;
  }
  return async ({ to, subject, text, isUrgent, id, thread }) => {
    const startedAt = timers.elapsed();
    if (settings === undefined) return { durationMs: 0, reason: 'cannot be reached: SMTP_URL is not set' };
    const { url, from } = settings;
    const domain = from.replace(/^.*@/, '').replace(/[^\w.-]/g, '');
    const result = await connect(url, options, async (transport) => {
      const { rejected = [] } = await transport.sendMail({
        from,
        to: [...to],
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        references: `<${thread}@${domain}>`,
        ...(isUrgent ? { priority: 'high' as const } : {}),
        headers: { 'auto-submitted': 'auto-generated' },
      });
      if (rejected.length === 0) return { status: SUCCESS };
      return { status: SUCCESS, reason: `rejected ${rejected.length} of ${to.length} addresses` };
    });
    note(result);
    return { durationMs: Math.round(timers.elapsed() - startedAt), ...result };
  };
}
