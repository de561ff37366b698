// SPDX-License-Identifier: Apache-2.0
import { Badge, StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { formatTimeOfDay } from '../format/time.ts';
import type { OriginHealth } from './liveTypes.ts';

const backupStatuses: Statuses<'ok' | 'failing' | 'unknown'> = {
  ok: ['good', 'Working'],
  failing: ['bad', 'Failing'],
  unknown: ['calm', 'Standby'],
};

type BackupListProps = {
  readonly backups: NonNullable<OriginHealth['backups']>;
  readonly onAirUrl: string | undefined;
};

/** The backups of an origin in their order, and whether they can be read. */
export const BackupList = ({ backups, onAirUrl }: BackupListProps) =>
  backups.length === 0 ? null : (
    <section class="stack tight" aria-label="Backups">
      <h4>Backups</h4>
      <ol class="backups">
        {backups.map(({ url, state, reason, checkedAt }) => (
          <li key={url}>
            <StatusBadge status={backupStatuses[state]} />
            <span class="url small">{url}</span>
            {url === onAirUrl ? <Badge tone="info">On air</Badge> : null}
            {checkedAt ? <span class="small muted nowrap">Checked {formatTimeOfDay(checkedAt)}</span> : null}
            {reason ? <p class="small reason">{reason}</p> : null}
          </li>
        ))}
      </ol>
    </section>
  );
