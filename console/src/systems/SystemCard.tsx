import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { SystemAnswer } from '../../../src/http/tenantContract.ts';
import { call } from '../api/call.ts';
import { typeWords } from '../logic/settingNames.ts';
import { formatDate } from '../logic/time.ts';
import { Badge, type Tone } from '../parts/Badge.tsx';
import { Button } from '../parts/Button.tsx';
import { ConfirmButton } from '../parts/ConfirmButton.tsx';

/** Of what lies elsewhere. */
const states: Readonly<Record<NonNullable<SystemAnswer['state']>, readonly [Tone, string]>> = {
  working: ['good', 'Working'],
  failing: ['bad', 'Failing'],
  unused: ['calm', 'Not used'],
};

type SystemCardProps = { readonly system: SystemAnswer; onEdit(): void; onRemoved(): void };

/** A system; its settings hold credentials, so they are covered until somebody asks for them. */
export function SystemCard({ system, onEdit, onRemoved }: SystemCardProps) {
  const { id, name, type, settings = {}, state, stateReason, modifiedAt, createdAt, modifiedBy, createdBy } = system;
  const [isOpen, setOpen] = useState(false);
  const names = Object.keys(settings);
  const remove = async () => {
    await call('DELETE', `/systems/${id}`);
    onRemoved();
  };
  return (
    <li class="card stack">
      <header class="row between">
        <div>
          <h2>
            {name} {state === undefined ? null : <Badge tone={states[state][0]}>{states[state][1]}</Badge>}
          </h2>
          <span class="small quiet">{typeWords[type]}</span>
        </div>
        <Link class="small" href={`/reports?system=${id}`}>
          Reports
        </Link>
      </header>
      {stateReason === undefined ? null : (
        <p class={state === 'failing' ? 'small why' : 'small quiet'}>{stateReason}</p>
      )}
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        {names.length === 0 ? (
          <>
            <dt>Settings</dt>
            <dd class="quiet">{type === 'ssai' ? "none: this installation's own store" : 'none yet'}</dd>
          </>
        ) : null}
        {names.map((each) => (
          <Fragment key={each}>
            <dt>{each}</dt>
            <dd>{isOpen ? <code>{settings[each]}</code> : <span class="quiet">hidden</span>}</dd>
          </Fragment>
        ))}
        <dt>Changed</dt>
        <dd>
          {formatDate(modifiedAt ?? createdAt)}, {modifiedBy ?? createdBy}
        </dd>
      </dl>
      <div class="row">
        {names.length > 0 ? (
          <Button icon="eye" isPressed={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide settings' : 'Show settings'}
          </Button>
        ) : null}
        <Button onClick={onEdit}>Edit</Button>
        <ConfirmButton
          label="Delete"
          question={`${name} and its settings go for good. Channels that name it keep their events here.`}
          act={remove}
        />
      </div>
    </li>
  );
}
