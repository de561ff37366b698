// SPDX-License-Identifier: Apache-2.0
// What was read as lines, each with its state.
import type { OverviewFigure } from '../../platform/overview/contract/overviewContract.ts';
import { plural } from '../../plural.ts';
import type { Millis } from '../../time/units.ts';
import { type Finding, failed, ok, warning } from '../doctor/finding.ts';
import type { ChannelCounts, HourOverview, StatusFacts } from './statusFacts.ts';

/** Lines of a list. */
const MAX_LINES = 10;
const MAX_SERVERS = 5;
/** Below the same hour yesterday, as a share. */
const FALL = 0.1;
/** Of the requests to an ad server. */
const FAILING_SHARE = 0.1;
/** How long a creative that is due waits while workers keep up. */
const LATE_MS = 600_000;

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
const whole = (value: number): string => `${Math.round(value)}`;

/** @param before such as `an hour ago` @param format writes a value */
function compared(figure: OverviewFigure, before: string, format: (value: number) => string): string {
  if (figure.kind === 'compared') return `${format(figure.before)} ${before}`;
  if (figure.kind === 'uncompared' && figure.reason === 'too-new') return `not counted yet ${before}`;
  return `nothing ${before}`;
}

function fillLine({ fill: { now, hour } }: HourOverview): Finding {
  if (now.kind === 'nothing') return ok('Fill', 'no breaks in the last hour');
  const text = [
    `${percent(now.value)} in the last hour`,
    compared(hour, 'an hour ago', percent),
    compared(now, 'at this hour yesterday', percent),
  ].join(', ');
  const falls = [now, hour].some((figure) => figure.kind === 'compared' && figure.change < -FALL);
  return falls ? warning('Fill', text, 'See "Ad server", "Creative" and the problems below.') : ok('Fill', text);
}

function viewersLine({ viewers: { now } }: HourOverview): Finding {
  const value = now.kind === 'nothing' ? 0 : now.value;
  return ok('Viewers', `${whole(value)} now, ${compared(now, 'at this time yesterday', whole)}`);
}

function serverLines({ adServers }: HourOverview): Finding[] {
  if (adServers.length === 0) return [ok('Ad servers', 'no requests in the last hour')];
  return adServers
    .slice(0, MAX_SERVERS)
    .map(({ adServer, sent, errors, timeouts, empty, failureShare, latencyP95 }) => {
      const facts = [
        `${plural(sent, 'request')}`,
        plural(errors, 'error'),
        plural(timeouts, 'timeout'),
        `${empty} empty`,
      ];
      const text = `${adServer}: ${facts.join(', ')}, P95 ${whole(latencyP95)} ms`;
      if (failureShare < FAILING_SHARE) return ok('Ad server', text);
      return warning('Ad server', text, 'See docs/incidents.md; "Try ads" in the console sends a request.');
    });
}

function creativeLine({ creatives: [worst] }: HourOverview): Finding {
  if (worst === undefined) return ok('Creative', 'no ads lost in the last hour');
  const { creative, adsLost, code, text } = worst;
  const line = `${creative}: ${plural(adsLost, 'ad')} lost in the last hour (${code})`;
  // A new creative is prepared when it is first requested.
  return code === 'CREATIVE_PREPARING' ? ok('Creative', line) : warning('Creative', line, `${text}.`);
}

function overviewLines(overview: StatusFacts['overview']): Finding[] {
  if (overview.kind === 'unread')
    return [warning('Reports', `not read: ${overview.reason}`, 'Run this with the settings of the servers.')];
  const { hour } = overview;
  const gaps = hour.missing.map((gap) =>
    warning(
      'Reports',
      gap.kind === 'system' ? `system ${gap.name} is missing: ${gap.text}` : gap.text,
      'The numbers below are incomplete.',
    ),
  );
  return [...gaps, fillLine(hour), viewersLine(hour), ...serverLines(hour), creativeLine(hour)];
}

function channelLine({ total, onAir, preparing, failed: failing, off, troubled }: ChannelCounts): Finding {
  const counts = [
    `${onAir} of ${total} on air`,
    `${preparing} preparing`,
    `${failing} failed`,
    `${off} off`,
    `${troubled.length} with problems`,
  ];
  const text = total === 0 ? 'none yet' : counts.join(', ');
  if (failing > 0 && onAir + preparing === 0)
    return failed('Channels', text, 'No channel plays; see the problems below.');
  return troubled.length > 0 ? warning('Channels', text, 'See the problems below.') : ok('Channels', text);
}

function queueLine({ counts, oldestDue }: StatusFacts['queue'], now: Millis): Finding {
  const { waiting, retrying, preparing, failed: given } = counts;
  const text = `${waiting} waiting, ${retrying} failing, ${preparing} preparing, ${given} failed`;
  const lateMs = oldestDue === undefined ? 0 : now - oldestDue;
  if (lateMs < LATE_MS) return ok('Creative queue', text);
  return warning(
    'Creative queue',
    `${text}; the oldest is ${Math.round(lateMs / 60_000)} min late`,
    'Check that a worker runs.',
  );
}

export const describeFacts = ({ channels, queue, overview }: StatusFacts, now: Millis): Finding[] => [
  channelLine(channels),
  ...overviewLines(overview),
  queueLine(queue, now),
];

/** The channels with problems, with their sentences. */
export function listProblems({ troubled }: ChannelCounts): (readonly [channel: string, text: string])[] {
  const rows = troubled
    .slice(0, MAX_LINES)
    .map(({ id, problems }) => [id, problems.map(({ text }) => text).join(' ')] as const);
  const more = troubled.length - rows.length;
  return more > 0 ? [...rows, ['…', `${plural(more, 'more channel')} with problems`] as const] : rows;
}
