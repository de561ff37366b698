// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { errorMessage } from '../../api/apiError.ts';
import { Icon } from '../icons/Icon.tsx';

type NoticeProps = { readonly tone: 'bad' | 'warn' | 'good' | 'info'; readonly children: ComponentChildren };

export const Notice = ({ tone, children }: NoticeProps) => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <Icon name={tone === 'good' ? 'check' : 'alert'} />
    <div>{children}</div>
  </div>
);

/** Nothing when there is no error. */
export const ErrorNotice = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) =>
  error === undefined ? null : (
    <Notice tone="bad">
      {errorMessage(error)}{' '}
      {onRetry ? (
        <button type="button" class="link" onClick={onRetry}>
          Retry
        </button>
      ) : null}
    </Notice>
  );
