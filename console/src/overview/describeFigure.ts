// SPDX-License-Identifier: Apache-2.0
// One number of the overview in words: its value, its change, and what it is compared with or why it is not.
import type { OverviewFigure } from '../../../src/platform/overview/contract/overviewContract.ts';
import { formatCount, formatPercent } from '../format/numbers.ts';

export type Unit = 'share' | 'count';
/** Which direction is an improvement; `neither` for a number that is not judged. */
export type Better = 'more' | 'less' | 'neither';

export type ShownFigure = {
  readonly value: string;
  readonly change?: { readonly text: string; readonly tone: 'good' | 'bad' | 'calm' };
  readonly note: string;
};

const sign = (value: number): string => (value > 0 ? '+' : value < 0 ? '−' : '±');

/** `+3.2 points` of a share, `+12%` of a count. */
const changeText = (change: number, unit: Unit): string => {
  const size = Math.abs(change * 100).toLocaleString('en-GB', { maximumFractionDigits: unit === 'share' ? 1 : 0 });
  return `${sign(size === '0' ? 0 : change)}${size}${unit === 'share' ? ' points' : '%'}`;
};

function toneOf(text: string, change: number, better: Better): 'good' | 'bad' | 'calm' {
  if (better === 'neither' || text.startsWith('±')) return 'calm';
  return change > 0 === (better === 'more') ? 'good' : 'bad';
}

type Described = {
  readonly unit: Unit;
  readonly better: Better;
  /** What is counted: `breaks`. */
  readonly what: string;
  /** What it is compared with: `yesterday by this time`. */
  readonly before: string;
};

export function describeFigure(figure: OverviewFigure, { unit, better, what, before }: Described): ShownFigure {
  const format = (value: number) => (unit === 'share' ? formatPercent(value, 1) : formatCount(value));
  switch (figure.kind) {
    case 'nothing':
      return { value: '–', note: `No ${what}` };
    case 'uncompared':
      return {
        value: format(figure.value),
        // Said once for all numbers.
        note: figure.reason === 'too-new' ? '' : `No ${what} ${before}`,
      };
    case 'compared': {
      const note = `${format(figure.before)} ${before}`;
      if (figure.value === 0 && figure.before === 0) return { value: format(0), note };
      const text = changeText(figure.change, unit);
      return {
        value: format(figure.value),
        change: { text, tone: toneOf(text, figure.change, better) },
        note,
      };
    }
  }
}
