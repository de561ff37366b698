// SPDX-License-Identifier: Apache-2.0
import type { LiveBreaks } from '../../../src/http/contract/liveContract.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { formatDateTimeSeconds } from '../format/time.ts';

const MAX_WARNINGS = 5;

/** The newest markers that were not used as written. */
export const BreakWarnings = ({ warnings }: Pick<LiveBreaks, 'warnings'>) =>
  warnings.length === 0 ? null : (
    <Notice tone="warn">
      <ul class="small">
        {warnings.slice(0, MAX_WARNINGS).map(({ origin, line, text, at }) => (
          <li key={`${origin} ${line} ${at} ${text}`}>
            {formatDateTimeSeconds(at)}, line {line}: {text}
          </li>
        ))}
      </ul>
    </Notice>
  );
