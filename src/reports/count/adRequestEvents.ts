// What becomes of the questions to ad servers: the first of a break, and those that wrappers lead to.

import type { AdRequestOutcome } from '../../ads/record/adRequestOutcome.ts';
import type { AdServer, AdServerResponse } from '../../ads/request/ports.ts';
import type { AdRequestContext } from '../../playback/request/requestAds.ts';
import type { Millis } from '../../time/units.ts';
import type { RecordEvent } from '../event.ts';

type Ask = (question: AdRequestContext, adServer: AdServer) => Promise<AdRequestOutcome>;
type Outcome = 'answered' | 'empty' | 'error' | 'timeout';

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '(no URL)');

/** undefined when nothing was sent. */
function outcomeOf(answer: AdServerResponse): Outcome | undefined {
  if (answer.ok) return 'answered';
  switch (answer.error) {
    case 'timeout':
      return 'timeout';
    case 'busy':
    case 'resting':
    case 'badUrl':
    case 'egress':
      return undefined;
    default:
      return 'error';
  }
}

/** An answer that came in time is judged by what could be read in it. */
function judged(outcome: Outcome, reason: AdRequestOutcome['reason']): Outcome {
  if (outcome !== 'answered') return outcome;
  if (reason?.code === 'NO_ADS') return 'empty';
  return reason?.code === 'VAST_UNREADABLE' ? 'error' : 'answered';
}

/** Asks as before, and records every exchange once the break's answer is there. */
export const observeAdRequests =
  (ask: Ask, adServer: AdServer, record: RecordEvent, now: () => Millis) =>
  async (question: AdRequestContext): Promise<AdRequestOutcome> => {
    const exchanges: { readonly host: string; readonly outcome: Outcome; readonly ms: number; readonly at: Millis }[] =
      [];
    let first: (typeof exchanges)[number] | undefined;
    let isFirst = true;
    const observed: AdServer = {
      async send(request, limits) {
        const isBreaks = isFirst;
        isFirst = false;
        const answer = await adServer.send(request, limits);
        const outcome = outcomeOf(answer);
        if (outcome === undefined) return answer;
        const exchange = { host: hostOf(request.url), outcome, ms: answer.ms, at: now() };
        exchanges.push(exchange);
        if (isBreaks) first = exchange;
        return answer;
      },
    };
    const answer = await ask(question, observed);
    const { channelId: channel, tenant } = question.session;
    for (const exchange of exchanges) {
      const { host, ms, at } = exchange;
      const outcome = exchange === first ? judged(exchange.outcome, answer.reason) : exchange.outcome;
      record({
        type: 'adRequest',
        at,
        channel,
        ...(tenant === undefined ? {} : { tenant }),
        adServer: host,
        outcome,
        ms,
      });
    }
    return answer;
  };
