// SPDX-License-Identifier: Apache-2.0
// Composes the as-run log of linear channels.
import type { OnAirServices } from '../../composition/composeOnAir.ts';
import type { Services } from '../../composition/openServices.ts';
import { type Part, repeat } from '../../composition/part.ts';
import type { RecordAsRun } from '../../planning/ports.ts';
import { millis } from '../../time/units.ts';
import { reportRetention } from '../reports/store/sql/sqlReports.ts';
import { asRunRoute } from './routes/asRunRoute.ts';
import { createAsRun } from './rules/recordAsRun.ts';
import { shownRows } from './rules/shownRows.ts';
import { sqlAsRun } from './store/sqlAsRun.ts';

const RECORD_INTERVAL_MS = 60_000;
const PRUNE_INTERVAL_MS = 600_000;

export function composeAsRun(
  { sql, config, channels, now, warn: log }: Services,
  { lives }: Pick<OnAirServices, 'lives'>,
): { readonly record: RecordAsRun; readonly shown: ReturnType<typeof shownRows>; readonly part: Part } {
  const store = sqlAsRun(sql);
  const asRun = createAsRun({
    store,
    ...lives,
    markersOf: async ({ tenant, id }) => (await channels.find(tenant, id))?.markersOut ?? 'none',
    now,
    log,
  });
  const keptMs = Math.max(...Object.values(reportRetention(config)));
  return {
    record: asRun.recordAsRun,
    shown: shownRows(store),
    part: {
      routes: [asRunRoute({ asRun, store, channels, now })],
      tasks: [
        { name: 'recording what channels air', everyMs: RECORD_INTERVAL_MS, run: asRun.recordAll },
        {
          name: 'deleting old rows of as-run logs',
          everyMs: PRUNE_INTERVAL_MS,
          run: () => repeat(() => store.removeBefore(millis(now() - keptMs))),
        },
      ],
    },
  };
}
