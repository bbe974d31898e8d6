/** Example workflows that run without a network. */
import approval from './approval.yaml?raw';
import branches from './branches.yaml?raw';
import triage from './triage.yaml?raw';

export const WORKFLOWS: Record<string, string> = {
  'Triage: Prolog decides': triage,
  'Branches: side by side': branches,
  'Approval: wait, resume, go back': approval,
  'A workflow of your own': `nodes:
  - name: double
    language: prolog
    run: |
      state(value, V), W is V * 2, return(value, W).
initial_state: { value: 21 }
`,
};
