:- use_module(library(clpfd)).
money([S,E,N,D,M,O,R,Y]) :-
    Vs = [S,E,N,D,M,O,R,Y], Vs ins 0..9, all_different(Vs),
    S*1000+E*100+N*10+D + M*1000+O*100+R*10+E #= M*10000+O*1000+N*100+E*10+Y,
    M #\= 0, S #\= 0, label(Vs).
rows(N, Qs) :- length(Qs, N), Qs ins 1..N, apart(Qs), labeling([ff], Qs).
apart([]).
apart([Q|Qs]) :- apart_(Qs, Q, 1), apart(Qs).
apart_([], _, _).
apart_([Q|Qs], P, D) :- P #\= Q, abs(P-Q) #\= D, D1 is D+1, apart_(Qs, P, D1).
bench :- between(1, 12, _), money(_), fail.
bench :- between(1, 3, _), once(rows(16, _)), fail.
bench.
