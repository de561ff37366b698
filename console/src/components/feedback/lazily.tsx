// SPDX-License-Identifier: Apache-2.0
// A component that is loaded when it is shown for the first time, so that the first page does not wait for it.
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from './Loading.tsx';
import { Notice } from './Notice.tsx';

/** Midroll is unavailable, or was updated since this page was opened. */
const notLoaded = (_error: unknown): VNode => <Notice tone="warn">This part was not loaded. Reload the page.</Notice>;

type LazyOptions = {
  /** Is shown if it cannot be loaded. */
  failure?(error: unknown): VNode;
  /** Is shown until it is loaded. */
  readonly loading?: VNode | null;
};

export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { failure = notLoaded, loading = <Loading /> }: LazyOptions = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [state, setState] = useState<{ readonly error?: unknown; readonly isReady: boolean }>({
      isReady: Loaded !== undefined,
    });
    useEffect(() => {
      if (state.isReady) return;
      let isUnmounted = false;
      load().then(
        (component) => {
          Loaded = component;
          if (!isUnmounted) setState({ isReady: true });
        },
        (error: unknown) => isUnmounted || setState({ error, isReady: false }),
      );
      return () => {
        isUnmounted = true;
      };
    }, []);
    if (state.error !== undefined) return failure(state.error);
    return Loaded === undefined ? loading : <Loaded {...props} />;
  };
}
