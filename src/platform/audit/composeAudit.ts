// SPDX-License-Identifier: Apache-2.0
// Composes the audit log.

import type { Services } from '../../composition/openServices.ts';
import { type Part, repeat } from '../../composition/part.ts';
import { millis } from '../../time/units.ts';
import { auditRoutes } from './routes/auditRoutes.ts';
import type { AuditStore } from './rules/ports.ts';
import { sqlAudit } from './store/sqlAudit.ts';

const DAY_MS = 24 * 3_600_000;
const PRUNE_INTERVAL_MS = 600_000;

export function composeAudit({ sql, config, now }: Services): { readonly store: AuditStore; readonly part: Part } {
  const store = sqlAudit(sql);
  const oldest = () => millis(now() - config.AUDIT_RETENTION * DAY_MS);
  return {
    store,
    part: {
      routes: auditRoutes({ audit: store }),
      tasks: [
        {
          name: 'deleting old audit entries',
          everyMs: PRUNE_INTERVAL_MS,
          run: () => repeat(() => store.removeBefore(oldest())),
        },
      ],
    },
  };
}
