#!/usr/bin/Rscript
# SPDX-License-Identifier: MIT
# Reference numbers of agreement, planning, human estimates, sequences and penalised models
# in src/stats/, from base R. Each is computed from its definition and not by the formulas
# of the C code: coincidence matrices, loops over all permutations, general optimisers.
# Run: Rscript make_stats_models.R > stats_models_r.tsv     (Debian: r-base-core)
# A row: what, its arguments, the expected numbers (which of the two is said below). Data
# are made by formulas that the test repeats.

row <- function(name, ...) {
  cat(name, sprintf("%.17g", c(...)), sep = "\t")
  cat("\n")
}

# ratings of item i: raters 1..m, a class 1..3 each; m varies where `uneven`
rating <- function(i, j) (i * 7 + j * i * i + (i %% 5 > 1) * j) %% 3 + 1
raters <- function(i, uneven) if (uneven) 1 + i %% 4 else 3

# n uneven | items that count, agreement, chance, kappa
for (n in c(9, 60)) {
  counts <- t(sapply(seq_len(n), function(i) tabulate(sapply(1:3, function(j) rating(i, j)), 3)))
  pi <- sapply(seq_len(n), function(i) mean(combn(3, 2, function(p) rating(i, p[1]) == rating(i, p[2]))))
  pe <- sum((colSums(counts) / sum(counts))^2)
  row("fleiss", n, 0, n, mean(pi), pe, (mean(pi) - pe) / (1 - pe))
}
for (uneven in c(0, 1)) for (n in c(9, 60)) {
  o <- matrix(0, 3, 3) # coincidences: ordered pairs within an item, over ratings - 1
  items <- 0
  for (i in seq_len(n)) {
    m <- raters(i, uneven)
    if (m < 2) next
    items <- items + 1
    for (a in 1:m) for (b in 1:m) if (a != b)
      o[rating(i, a), rating(i, b)] <- o[rating(i, a), rating(i, b)] + 1 / (m - 1)
  }
  total <- sum(o)
  k <- rowSums(o)
  observed <- 1 - sum(diag(o)) / total
  expected <- 1 - sum(k * (k - 1)) / (total * (total - 1))
  row("alpha", n, uneven, items, 1 - observed, 1 - expected, 1 - observed / expected)
}

# a 3 x 3 table, rows predicted | accuracy, baseline, macro precision, recall, F1
for (x in list(c(20, 5, 3, 4, 30, 6, 2, 1, 9), c(50, 0, 0, 7, 8, 0, 2, 2, 0), c(0, 4, 0, 5, 0, 0, 0, 0, 0))) {
  m <- matrix(x, 3, byrow = TRUE)
  used <- which(rowSums(m) + colSums(m) > 0)
  zero <- function(v) ifelse(is.finite(v), v, 0)
  precision <- zero(diag(m) / rowSums(m))[used]
  recall <- zero(diag(m) / colSums(m))[used]
  f1 <- zero(2 * precision * recall / (precision + recall))
  row("confusion", x, sum(diag(m)) / sum(m), max(colSums(m)) / sum(m), mean(precision), mean(recall), mean(f1))
}

# variance half_width level | questions;  variance n level power | detectable, questions
for (x in list(c(.25, .05, .95), c(.13, .02, .9), c(.2, .1, .99)))
  row("needed", x, ceiling(x[1] * (qnorm((1 + x[3]) / 2) / x[2])^2))
for (x in list(c(.25, 80, .95, .8), c(.1, 400, .95, .9), c(.18, 33, .99, .8))) {
  d <- (qnorm((1 + x[3]) / 2) + qnorm(x[4])) * sqrt(x[1] / x[2])
  row("detectable", x, d, ceiling(x[1] * ((qnorm((1 + x[3]) / 2) + qnorm(x[4])) / .07)^2))
}

# a b | p of McNemar's exact test on the pairs that changed
for (x in list(c(3, 9), c(0, 6), c(25, 25), c(140, 100)))
  row("mcnemar", x, binom.test(x[1], sum(x), .5)$p.value)

# votes, tie share | probability that the votes balance, over all outcomes
for (n in c(1, 2, 5, 6)) for (p in c(1 / 3, .1, .7)) {
  all <- as.matrix(expand.grid(rep(list(c(1, 0, -1)), n)))
  w <- apply(all, 1, function(v) prod(ifelse(v == 0, p, (1 - p) / 2)))
  row("balance", n, p, sum(w[rowSums(all) == 0]))
}

# n bins | Brier score, calibration error
for (bins in c(5, 11)) {
  i <- seq_len(50)
  soft <- (i * 29) %% 13 / 12
  label <- (i * 17) %% 3 / 2
  # bins of equal width; a value between two of them goes outwards from the middle
  step <- floor(abs(soft - .5) * bins + .5 + 1e-12)
  bin <- sign(soft - .5) * pmin(step, bins %/% 2)
  error <- sum(tapply(soft - label, bin, function(d) abs(sum(d)))) / 50
  row("reliability", 50, bins, mean((soft - label)^2), error)
}

# n labels kind | estimate, se, low, high: labels on a random subset, and active ones
judge <- function(i) ((i * 37) %% 11) / 10
label_of <- function(i) pmin(2, pmax(0, round(2 * judge(i)) + (i %% 4 == 0) - (i %% 7 == 0))) / 2
for (x in list(c(300, 40), c(80, 80), c(500, 120))) {
  n <- x[1]
  i <- seq_len(n)
  f <- judge(i)
  labelled <- order((i * 7919) %% 1009)[seq_len(x[2])]
  y <- label_of(labelled)
  m <- lm(y ~ f[labelled])
  lambda <- min(1, max(0, coef(m)[2]))
  estimate <- mean(y) + lambda * (mean(f) - mean(f[labelled]))
  v <- var(y - lambda * f[labelled]) * (1 / x[2] - 1 / n) + var(y) / n
  q <- qt(.975, x[2] - 2)
  row("human_random", x, lambda, estimate, sqrt(v), estimate - q * sqrt(v), estimate + q * sqrt(v))
  p <- .1 + .8 * ((i * 13) %% 10) / 10
  chosen <- ((i * 101) %% 97) / 97 < p
  y <- label_of(i)
  r <- weighted.mean((y - f)[chosen], 1 / p[chosen])
  z <- f + r + ifelse(chosen, (y - f - r) / p, 0)
  q <- qt(.975, sum(chosen) - 1)
  row("human_active", n, sum(chosen), mean(z), sqrt(var(z) / n), mean(z) - q * sqrt(var(z) / n), mean(z) + q * sqrt(var(z) / n))
}

# n target | found, kept, agreement, its lower bound, threshold
for (x in list(c(200, .9), c(200, .75), c(60, .95))) {
  n <- x[1]
  i <- seq_len(n)
  confidence <- ((i * 61) %% n) / n
  agrees <- confidence + ((i * 29) %% 13) / 26 > .35
  o <- order(-confidence)
  best <- c(0, 0, 0, 0, 0)
  for (percent in seq(50, 100, 5)) {
    threshold <- confidence[o[ceiling(n * percent / 100)]]
    kept <- confidence >= threshold
    low <- binom.test(sum(agrees[kept]), sum(kept), alternative = "greater", conf.level = .95)$conf.int[1]
    if (low < x[2]) break
    best <- c(1, sum(kept), mean(agrees[kept]), low, threshold)
  }
  row("selective", x, best)
}

# total, n | low, high of the sequence after n values, by products over the whole history
sequence <- function(x, total) {
  m <- 0:1000 / 1000
  up <- rep(1, 1001)
  down <- rep(1, 1001)
  out <- rep(FALSE, 1001)
  for (k in seq_along(x)) {
    seen <- c(.5, x[seq_len(k - 1)]) # one pretended value
    centre <- cumsum(seen) / seq_along(seen)
    variance <- (.25 + sum((seen[-1] - centre[-1])^2)) / k
    bet <- sqrt(2 * log(2 / .05) / (variance * k * log(1 + k)))
    rest <- (total * m - sum(x[seq_len(k - 1)])) / (total - k + 1)
    up <- ifelse(rest < 0, Inf, up * (1 + pmin(bet, .5 / rest) * (x[k] - rest)))
    down <- ifelse(rest > 1, Inf, down * (1 - pmin(bet, .5 / (1 - rest)) * (x[k] - rest)))
    out <- out | up >= 40 | down >= 40
  }
  left <- total - length(x)
  bounds <- c(sum(x) / total, (sum(x) + left) / total)
  inside <- range(which(!out)) - 1
  c(max((inside[1] - 1) / 1000, bounds[1]), min((inside[2] + 1) / 1000, bounds[2]))
}
for (x in list(c(300, 1), c(300, 20), c(300, 120), c(300, 299), c(300, 300), c(100000, 400))) {
  i <- seq_len(x[2])
  row("sequence", x, sequence(((i * 53) %% 7) %/% 2 / 3, x[1]))
}

# n | exact p of the trend: all orders of eight values over their bins
permutations <- function(v) if (length(v) < 2) matrix(v, 1) else do.call(rbind, lapply(seq_along(v), function(i) cbind(v[i], permutations(v[-i]))))
for (shift in c(0, 4)) {
  i <- 1:8
  bins <- c(0, 0, 1, 1, 2, 2, 3, 3)
  values <- ((i * 5 + shift * i * i) %% 7) / 7 + bins / 5
  all <- permutations(i)
  stat <- function(o) abs(sum((values[o] - mean(values)) * (bins - mean(bins))))
  s <- apply(all, 1, stat)
  row("permutation", shift, mean(s >= stat(i) - 1e-12))
}

# Bradley-Terry with a term, and with an undefeated model. Strengths 2..4 less strength 1,
# order, (term,) log tie; in the second the penalty of sd 3 on strengths round their mean.
bt_rows <- function(n, undefeated) {
  i <- seq_len(n)
  first <- i %% 4
  second <- (first + 1 + (i %/% 4) %% 3) %% 4
  r <- (i * 7919 + i * i * 31) %% 97 / 97
  up <- .35 + .07 * (second - first)
  y <- ifelse(r < up, 1, ifelse(r < up + .2, 0, -1))
  if (undefeated) y <- ifelse(first == 3, 1, ifelse(second == 3, -1, y))
  list(first = first, second = second, y = y, x = ((i * 17) %% 9 - 4) / 4, g = (i - 1) %/% 3)
}
each <- function(par, d, term) {
  theta <- c(0, par[1:3])
  eta <- theta[d$first + 1] - theta[d$second + 1] + par[4] + if (term) par[5] * d$x else 0
  tie <- par[if (term) 6 else 5]
  ifelse(d$y == 0, tie, d$y * eta / 2) - log(exp(eta / 2) + exp(-eta / 2) + exp(tie))
}
gradient <- function(f, par, h = 1e-4) {
  sapply(seq_along(par), function(k) {
    e <- replace(numeric(length(par)), k, h)
    (8 * (f(par + e) - f(par - e)) - (f(par + 2 * e) - f(par - 2 * e))) / (12 * h)
  })
}
maximum <- function(f, start) {
  par <- optim(start, function(p) -f(p), method = "BFGS", control = list(reltol = 1e-16, maxit = 2000))$par
  for (step in 1:8) { # Newton, by differences
    hess <- gradient(function(p) gradient(f, p), par)
    par <- par - solve(hess, gradient(f, par))
  }
  par
}
d <- bt_rows(300, FALSE)
par <- maximum(function(p) sum(each(p, d, TRUE)), numeric(6))
s <- rowsum(gradient(function(p) each(p, d, TRUE), par), d$g)
hess <- gradient(function(p) colSums(gradient(function(q) each(q, d, TRUE), p)), par)
G <- nrow(s)
v <- solve(hess) %*% (t(s) %*% s * G / (G - 1)) %*% solve(hess)
row("bt_term", 300, par, sqrt(diag(v)))
d <- bt_rows(200, TRUE)
penalty <- function(p) {
  theta <- c(0, p[1:3])
  sum((theta - mean(theta))^2) / 18
}
row("bt_penalised", 200, maximum(function(p) sum(each(p, d, FALSE)) - penalty(p), numeric(5)))

# length control where all verdicts are alike: prior of sd 3 on both | win rate, slope
n <- 60
i <- seq_len(n)
e <- ((i * 37) %% 101) - 45
x <- tanh(e / sqrt(mean(e^2)))
par <- maximum(function(p) sum(plogis(p[1] + p[2] * x, log.p = TRUE)) - sum(p^2) / 18, c(1, 0))
row("length_penalised", n, plogis(par[1]), par[2])

# questions | mean, and what 2.5 and 97.5 % of resampled means are below
set.seed(1)
g <- 0:59
counts <- 1 + g %% 3
sums <- sapply(g, function(q) sum(sapply(seq_len(1 + q %% 3) - 1, function(r) ((q * 7 + r * 5) %% 3) / 2)))
means <- replicate(200000, { k <- sample.int(60, replace = TRUE); sum(sums[k]) / sum(counts[k]) })
row("bootstrap", 60, sum(sums) / sum(counts), quantile(means, c(.025, .975), type = 7))
