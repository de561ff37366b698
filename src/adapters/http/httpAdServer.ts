// An ad server reached over HTTP: the raw exchange, measured. It knows how much of an ad server's time and bytes a
// viewer can wait for; what the bytes say is read elsewhere, and who may be reached is egressGuard's.
import type { Dispatcher } from 'undici';
import type { AdServer, AdServerResponse } from '../../ads/request/ports.ts';
import { joinBytes } from '../../mp4/boxes.ts';
import type { Timers } from '../../time/clock.ts';
import { systemTimers } from '../systemClock.ts';
import { createCircuitBreaker, type Outcome } from './circuitBreaker.ts';
import { failure } from './exchangeFailure.ts';
import { createExchange } from './httpExchange.ts';

export type AdServerLimits = {
  /** Of an answer, decoded. */
  readonly maxBytes?: number;
  /** Requests at once to one host, and how many may wait for a place within their own deadline. */
  readonly perHost?: number;
  readonly queue?: number;
  /** After so many failures in a row a server, or one of its tags, is left alone for a while. */
  readonly failures?: number;
  readonly restMs?: number;
  /** Keep the deadlines; the system's unless given. */
  readonly timers?: Timers;
};

const noUrl = { origin: '', pathname: '' };

/** A server that had less time than this and did not answer in it is not to be blamed. */
const FAIR_TIMEOUT_MS = 500;

type Outcomes = { readonly server: Outcome; readonly tag: Outcome };

const tagFailed = (reason: string): Outcomes => ({ server: 'unclear', tag: { failed: reason } });
const serverFailed = (reason: string): Outcomes => ({ server: { failed: reason }, tag: 'unclear' });
const worked: Outcomes = { server: 'worked', tag: 'worked' };
const unclear: Outcomes = { server: 'unclear', tag: 'unclear' };

/**
 * What an answer says about its server, and about the tag: many a server has tags of many channels, and one that is set up
 * wrong there must not cost the others their ads. A 404 or a page of HTML comes from a server that is well.
 */
function outcomesOf(answer: AdServerResponse, timeoutMs: number): Outcomes {
  if (answer.ok) return worked;
  switch (answer.error) {
    case 'httpStatus':
      return (answer.status ?? 0) >= 500 ? tagFailed(answer.reason) : worked;
    case 'timeout':
      return timeoutMs >= FAIR_TIMEOUT_MS ? tagFailed(answer.reason) : unclear;
    case 'reset':
    case 'garbage':
      return tagFailed(answer.reason);
    case 'noSuchHost':
    case 'unreachable':
    case 'refused':
    case 'tls':
      return serverFailed(answer.reason);
    default:
      return unclear;
  }
}

/** @param guard the dispatcher that createEgressGuard made */
export function createHttpAdServer(guard: Dispatcher, limits: AdServerLimits = {}): AdServer {
  const {
    maxBytes: mostBytes = 2 * 1024 * 1024,
    perHost = 256,
    queue = 4_096,
    failures = 5,
    timers = systemTimers,
  } = limits;
  // Processes that turned away together do not come back together.
  const { restMs = 3_000 + Math.random() * 1_500 } = limits;
  const exchange = createExchange(guard, { concurrency: perHost, queue }, timers);
  const breaker = createCircuitBreaker({ failures, restMs, now: timers.elapsed });

  /** Why neither the server nor the tag is to be asked now. */
  function refusalOf(server: string, tag: string): string | undefined {
    const refusal = breaker.refusal(server);
    if (refusal !== undefined) return refusal;
    const ofTag = breaker.refusal(tag);
    if (ofTag !== undefined) breaker.report(server, 'unclear');
    return ofTag;
  }

  return {
    async send(request, { timeoutMs, maxBytes = mostBytes, signal }) {
      const started = timers.elapsed();
      const measured = () => Math.round(timers.elapsed() - started);
      const { origin: server, pathname } = URL.canParse(request.url) ? new URL(request.url) : noUrl;
      const tag = server + pathname;
      const refusal = refusalOf(server, tag);
      if (refusal !== undefined) return { ...failure('resting', refusal), ms: 0 };

      const pieces: Uint8Array[] = [];
      const result = await exchange({ ...request, maxBytes, timeoutMs, ...(signal ? { signal } : {}) }, (piece) => {
        pieces.push(piece);
        return false;
      });
      const answer: AdServerResponse = result.ok
        ? {
            ok: true,
            url: result.url,
            status: result.status,
            ms: measured(),
            contentType: result.contentType,
            bytes: joinBytes(pieces),
          }
        : { ...result, ms: measured() };
      const outcomes = outcomesOf(answer, timeoutMs);
      breaker.report(server, outcomes.server);
      breaker.report(tag, outcomes.tag);
      return answer;
    },
  };
}
