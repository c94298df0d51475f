/** An instance of the service, as the load balancer knows it. */
interface BalancedInstance {
  name: string;
  host: string;
  port: number;
}

interface Balancer {
  /** Where clients connect, such as `:80` or `127.0.0.1:8080`. */
  bind: string;
  instances: readonly BalancedInstance[];
  /** Path of a socket that shows which instances are in use. */
  socket?: string;
}

/** THE instances of the documented deployment: `deploy/haproxy.cfg` is written from it. */
export const DEPLOYED: Balancer = {
  bind: ":80",
  instances: [
    { name: "one", host: "127.0.0.1", port: 3001 },
    { name: "two", host: "127.0.0.1", port: 3002 },
  ],
};

/**
 * The configuration of HAProxy in front of instances. Requests for a table go to the same instance, which has its read
 * copy; if that has half as many again as its share, to the next. What only reads is repeated elsewhere if an instance
 * gives no answer, or 503.
 */
export function balancerConfig({ bind, instances, socket }: Balancer): string {
  const servers = instances.map(({ name, host, port }) => `  server ${name} ${host}:${port}`).join("\n");
  return `# HAProxy (2.6 or newer) in front of several instances. Written from lib/testing/balancer.ts by
# npm run unit -- .ci/deploy.test.ts -u
global
  maxconn 4096${socket === undefined ? "" : `\n  stats socket ${socket}`}

defaults
  mode http
  timeout connect 5s
  timeout client 75s
  timeout server 75s
  timeout check 5s
  option redispatch 1
  option forwardfor
  retries 2
  # not on 503: an instance has counted the request, and says when to come back
  retry-on conn-failure empty-response
  option httpchk GET /readyz
  # one that refuses connections is not asked again until it says that it is ready
  default-server inter 1s fall 2 rise 1 check observe layer4 error-limit 1 on-error mark-down

frontend clients
  bind ${bind}
  acl reads method GET HEAD
  acl queries path_reg ^/api/(v2/)?public/tables/[^/]+/query$
  acl connector path_beg /api/mcp
  http-request disable-l7-retry unless reads or queries
  # the table's id, or the whole path where there is none
  http-request set-var(txn.table) 'path,regsub("^.*/tables/([^/]+).*$","\\1")'
  use_backend connector if connector
  default_backend instances

backend instances
  balance hash var(txn.table)
  hash-type consistent
  hash-balance-factor 150
${servers}

backend connector
  balance leastconn
${servers}
`;
}
