// SPDX-License-Identifier: Apache-2.0

import { Component, type ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportResponse } from '../../../src/http/contract/consoleContract.ts';
import type { FieldError } from '../api/apiError.ts';
import { Button } from '../components/buttons/Button.tsx';
import { MoveButtons } from '../components/buttons/MoveButtons.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { NumberField } from '../components/forms/NumberField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { Grip } from '../components/pointer/Grip.tsx';
import { formatHeights, plural } from '../format/numbers.ts';
import { formatTimecode } from '../format/time.ts';
import { ItemBreaks } from './ItemBreaks.tsx';
import type { ItemMoves } from './itemSelection.ts';
import { type DraftItem, itemName } from './playlistDraft.ts';
import { type SourceCheck, useSourceCheck } from './useSourceCheck.ts';

/** Renders a component again only when one of its props changes: for the entries of long lists. */
const memo = <Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> =>
  class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = Object.keys({ ...this.props, ...next }) as (keyof Props)[];
      return names.some((name) => this.props[name] !== next[name]);
    }
    override render(props: Props) {
      return <Inner {...props} />;
    }
  };

type ItemCardProps = {
  readonly item: DraftItem;
  readonly index: number;
  readonly count: number;
  readonly errors: readonly FieldError[];
  readonly moves: ItemMoves;
  /** Another item is dragged over this one. */
  readonly isOver: boolean;
  readonly isSelected: boolean;
  onChange(item: DraftItem): void;
  onSelect(key: number, isRange: boolean): void;
};

/** The items of a longer list are collapsed at first, so that their sources are not all checked at once. */
const MAX_EXPANDED = 8;

function Card({ item, index, count, errors, moves, isOver, isSelected, onChange, onSelect }: ItemCardProps) {
  const path = `/contents/${index}`;
  const hasError = errors.some(({ dataPath }) => dataPath === path || dataPath.startsWith(`${path}/`));
  const [isExpanded, setExpanded] = useState(count <= MAX_EXPANDED || item.url === '');
  const isOpen = isExpanded || hasError;
  const check = useSourceCheck(item.sourceType === 'url' && isOpen ? item.url.trim() : '');
  const stated = item.duration !== undefined && item.duration > 0 ? item.duration : undefined;
  const duration = check.result?.duration ?? stated;
  const cutPoints = check.result?.cutPoints ?? [];
  const name = itemName(item);
  const changeDuration = (next: number | undefined) => {
    const { duration: _, ...rest } = item;
    onChange(next === undefined ? rest : { ...rest, duration: next });
  };
  return (
    <li class="card item" {...moves.drag.target(`${index}`)} data-over={isOver} data-selected={isSelected}>
      <ItemHeader
        name={name}
        index={index}
        count={count}
        duration={duration}
        moves={moves}
        isOpen={isOpen}
        isSelected={isSelected}
        onSelect={(isRange) => onSelect(item.key, isRange)}
        breaks={item.cuePoints.length}
        onToggle={() => setExpanded(!isOpen)}
      />
      {isOpen ? (
        <>
          {item.sourceType === 'url' ? (
            <SourceField
              url={item.url}
              check={check}
              error={fieldError(errors, `${path}/url`)}
              onInput={(url) => onChange({ ...item, url })}
            />
          ) : (
            <p class="small muted">
              Feeds and VoD channels take the URL from ?content=. Linear channels cannot play a placeholder.
            </p>
          )}
          <ItemBreaks
            item={item}
            name={name}
            path={path}
            errors={errors}
            duration={duration}
            cutPoints={cutPoints}
            onChange={onChange}
          />
          <details>
            <summary>Fallback duration</summary>
            <NumberField
              label="Seconds"
              value={item.duration}
              error={fieldError(errors, `${path}/duration`)}
              hint="Used in feeds while the source is not measured."
              onInput={changeDuration}
            />
          </details>
        </>
      ) : null}
    </li>
  );
}

/** One item of a playlist: its source and its breaks. */
export const ItemCard = memo(Card);

type ItemHeaderProps = Pick<ItemCardProps, 'index' | 'count' | 'isSelected' | 'moves'> & {
  readonly name: string;
  readonly duration: number | undefined;
  readonly breaks: number;
  readonly isOpen: boolean;
  onToggle(): void;
  /** @param isRange selects the items up to the one that was selected before */
  onSelect(isRange: boolean): void;
};

/** The name of an item, and the controls that expand, move and remove it. */
function ItemHeader(props: ItemHeaderProps) {
  const { name, index, count, duration, breaks, isOpen, isSelected, moves, onToggle, onSelect } = props;
  const facts = [
    ...(duration === undefined ? [] : [formatTimecode(duration)]),
    ...(isOpen || breaks === 0 ? [] : [plural(breaks, 'break')]),
  ];
  return (
    <header>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        title="Shift selects a range"
        checked={isSelected}
        onClick={({ shiftKey }) => onSelect(shiftKey)}
      />
      <Grip handlers={moves.drag} place={`${index}`} />
      <h3>
        <button type="button" aria-expanded={isOpen} onClick={onToggle}>
          <Icon name="chevron" />
          <span class="ellipsis" title={name}>
            {index + 1}. {name}
          </span>
        </button>
      </h3>
      <span class="small muted number">{facts.join(', ')}</span>
      <div class="actions">
        <MoveButtons
          name={name}
          isFirst={index === 0}
          isLast={index === count - 1}
          onMove={(step) => moves.move(index, index + step)}
        />
        <Button icon="trash" kind="quiet" label={`Remove ${name}`} onClick={() => moves.remove(index)} />
      </div>
    </header>
  );
}

type SourceFieldProps = {
  readonly url: string;
  readonly check: SourceCheck;
  readonly error: string | undefined;
  onInput(url: string): void;
};

/** `1080p, 720p, 25 fps, en, de` */
function describe({ renditions = [] }: ImportResponse): string {
  const rate = renditions.find(({ framesPerSecond }) => framesPerSecond !== undefined)?.framesPerSecond;
  const languages = renditions.flatMap(({ kind, language = 'und' }) =>
    kind === 'audio' && language !== 'und' ? [language] : [],
  );
  return [formatHeights(renditions), rate === undefined ? '' : `${rate} fps`, ...new Set(languages)]
    .filter(Boolean)
    .join(', ');
}

function CheckResult({ check: { result, isChecking, repeat } }: { readonly check: SourceCheck }) {
  if (isChecking) return <Badge tone="info">Checking…</Badge>;
  if (result === undefined) return null;
  const repeatButton = (
    <button type="button" class="link small" onClick={repeat}>
      Check again
    </button>
  );
  if (result.state === 'failed')
    return (
      <>
        <Badge tone="bad">Not playable</Badge> <span class="small">{result.reason}</span> {repeatButton}
      </>
    );
  return (
    <>
      <Badge tone={result.warnings?.length ? 'warn' : 'good'}>Playable</Badge>{' '}
      <span class="small">
        {formatTimecode(result.duration ?? 0)}, {describe(result)}
      </span>{' '}
      {repeatButton}
      {result.warnings?.map((warning) => (
        <p key={warning} class="small muted">
          {warning}
        </p>
      ))}
    </>
  );
}

/** The URL of a source, and the result of checking it. */
export const SourceField = ({ url, check, error, onInput }: SourceFieldProps) => (
  <div class="stack tight">
    <TextField
      label="Source URL"
      type="url"
      value={url}
      error={error}
      onInput={onInput}
      placeholder="https://media.example.com/asset/master.m3u8"
    />
    <div class="check-result wraps" aria-live="polite">
      <CheckResult check={check} />
    </div>
  </div>
);
