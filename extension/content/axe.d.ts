// Only what is used of axe-core, which the worker puts into the isolated world for an audit.

interface AxeNode {
  /** Absent for what is in another document. */
  element?: Element;
  html: string;
  failureSummary?: string;
}

interface AxeResult {
  id: string;
  impact?: "minor" | "moderate" | "serious" | "critical" | null;
  help: string;
  helpUrl: string;
  nodes: AxeNode[];
}

declare var axe: {
  getRules(): Array<{ ruleId: string; tags: string[] }>;
  run(context: unknown, options: object): Promise<{ violations: AxeResult[]; incomplete: AxeResult[]; passes: AxeResult[] }>;
};
