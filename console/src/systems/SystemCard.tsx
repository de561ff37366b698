// SPDX-License-Identifier: Apache-2.0
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { SystemResponse } from '../../../src/platform/access/contract/tenantContract.ts';
import { Button } from '../components/buttons/Button.tsx';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationButton.tsx';
import { deleteRecord } from '../confirmations/deleteRecord.ts';
import { fieldLabel } from '../format/labels.ts';
import { formatDateTime } from '../format/time.ts';
import { systemTypeLabels } from './systemSettings.ts';

const systemStatuses: Statuses<NonNullable<SystemResponse['state']>> = {
  working: ['good', 'Working'],
  failing: ['bad', 'Failing'],
  unused: ['calm', 'Unused'],
};

type SystemCardProps = {
  readonly system: SystemResponse;
  /** The last one of type ssai, through which reports are read. */
  readonly isLast: boolean;
  onEdit(): void;
  /** Called after it was deleted or restored. */
  onRemoved(): void;
};

/** A system. Its settings contain credentials, so they are hidden at first. */
export function SystemCard({ system, isLast, onEdit, onRemoved }: SystemCardProps) {
  const { id, name, type, settings = {}, state, stateReason, modifiedAt, createdAt, modifiedBy, createdBy } = system;
  const [isRevealed, setRevealed] = useState(false);
  const names = Object.keys(settings);
  const remove = async () => {
    await deleteRecord(`/systems/${id}`, name, isLast, onRemoved);
    onRemoved();
  };
  return (
    <li class="card stack">
      <header class="row between">
        <div>
          <h2>
            {name} {state === undefined ? null : <StatusBadge status={systemStatuses[state]} />}
          </h2>
          <span class="small muted">{systemTypeLabels[type]}</span>
        </div>
        <Link class="small" href={`/reports?system=${id}`}>
          Reports
        </Link>
      </header>
      {stateReason === undefined ? null : (
        <p class={state === 'failing' ? 'small reason' : 'small muted'}>{stateReason}</p>
      )}
      <dl class="facts">
        <dt>ID</dt>
        <dd>
          <code>{id}</code>
        </dd>
        {names.length === 0 ? (
          <>
            <dt>Settings</dt>
            <dd class="muted">{type === 'ssai' ? 'None (built-in store)' : 'None'}</dd>
          </>
        ) : null}
        {names.map((each) => (
          <Fragment key={each}>
            <dt>{fieldLabel(each)}</dt>
            <dd>{isRevealed ? <code>{settings[each]}</code> : <span class="muted">Hidden</span>}</dd>
          </Fragment>
        ))}
        <dt>Modified</dt>
        <dd>
          {formatDateTime(modifiedAt ?? createdAt)}, {modifiedBy ?? createdBy}
        </dd>
      </dl>
      <div class="row">
        {names.length > 0 ? (
          <Button icon="eye" isPressed={isRevealed} onClick={() => setRevealed(!isRevealed)}>
            {isRevealed ? 'Hide settings' : 'Show settings'}
          </Button>
        ) : null}
        <Button requires="tenant" onClick={onEdit}>
          Edit
        </Button>
        <ConfirmationButton
          label="Delete"
          requires="tenant"
          title={`Delete ${name}?`}
          target={{ kind: 'system', id }}
          name={name}
          consequence={`${isLast ? 'This is the last system of its type: without one, reports cannot be read. ' : ''}Channels that use it store their report events in this installation. You can restore it for 24 hours.`}
          verb="Delete system"
          isHarmless
          act={remove}
        />
      </div>
    </li>
  );
}
