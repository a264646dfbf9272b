import pg from 'pg';
import { registeredStatements } from '/work/h1/src/db/statement.js';
import '/work/h1/src/store/query/cast-metric.js';
const url='postgres://postgres@127.0.0.1:5432/castellan_bench_50000_500000_1500000_1000000';
const c=new pg.Client({connectionString:url, options:'-c jit=off -c max_parallel_workers_per_gather=0'}); await c.connect();
const st=Object.fromEntries(registeredStatements().map(s=>[s.name,s as any]));
const app='00000000-0000-0000-0000-000000000001';
const [{max}]=(await c.query('select max(ts) from "cast"')).rows;
const D=86400; const now=max; const cnt=(await c.query('select count(*) n from "cast"')).rows[0].n; console.log('casts',cnt);
for (const [n,q] of [['the',`'the'`],['the -gm',`('the' & !('gm'))`],['the|and|i|this|of',`('the'|'and'|'i'|'this'|'of')`],['"of the"',`('of' <1> 'the')`],['"over the"',`('over' <1> 'the')`],['t*',`'t':*`],['ramen',`'ramen'`],['zzzz',`'zzzz'`]] as const) {
 for (const days of [1,180]) {
  const start=now-now%D-(days-1)*D;
  const p=[q,start,D,start,now+1,app]; let out=[] as any[]; 
  for (let i=0;i<8;i++){const b=performance.now(); const r=await c.query({name:'m',text:st.cast_metric_all.text,values:p}); const ms=performance.now()-b; out.push(ms.toFixed(0)); if(i==7) console.log(n,days+'d', 'sum',r.rows.reduce((s:any,x:any)=>s+x.count,0),'tooMany',r.rows[0]?.too_many,'ms',out.join(' '));}
 }}
if(process.argv[2]){ const start=now-180*D; const r=await c.query('explain (analyze,buffers) '+st.cast_metric_all.text,[process.argv[2],start,D,start,now+1,app]); console.log(r.rows.map((x:any)=>x['QUERY PLAN']).join('\n'));}
await c.end();
