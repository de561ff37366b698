// SPDX-License-Identifier: Apache-2.0
import { Component, type ComponentType } from 'preact';

/** Renders a component again only when one of its props changes: for the entries of long lists. */
export const memo = <Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> =>
  class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = Object.keys({ ...this.props, ...next }) as (keyof Props)[];
      return names.some((name) => this.props[name] !== next[name]);
    }
    override render(props: Props) {
      return <Inner {...props} />;
    }
  };
