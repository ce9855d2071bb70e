#!/usr/bin/Rscript
# SPDX-License-Identifier: MIT
# Reference numbers of intervals, tests and models in src/stats/, from base R.
# Run: Rscript make_stats.R > stats_r.tsv     (Debian: r-base-core)
# A row: what, its arguments, the expected numbers (which of the two is said below).

row <- function(name, ...) {
  cat(name, sprintf("%.17g", c(...)), sep = "\t")
  cat("\n")
}

# k n level | low high
for (n in c(1, 5, 20, 80, 1000)) for (k in unique(c(0, 1, n %/% 3, n %/% 2, n))) {
  for (level in c(.9, .95, .99)) {
    w <- prop.test(k, n, conf.level = level, correct = FALSE)$conf.int
    row("wilson", k, n, level, w)
    row("clopper_pearson", k, n, level, binom.test(k, n, conf.level = level)$conf.int)
  }
}

# a b | p
for (a in c(0, 1, 7, 40, 600)) for (b in c(1, 5, 12, 40, 500))
  row("sign", a, b, binom.test(a, a + b)$p.value)

# mean se n_clusters level | low high: Wilson's equation solved as a root
wilson_root <- function(p, n, q) {
  f <- function(t) (p - t)^2 - q^2 * t * (1 - t) / n
  c(uniroot(f, c(0, p), tol = 1e-15)$root, uniroot(f, c(p, 1), tol = 1e-15)$root)
}
for (x in list(c(.56, .036, 80), c(.3, .01, 400), c(.9, .05, 12), c(.5, .002, 30))) {
  q <- qt(.975, x[3] - 1)
  row("win_rate", x, .95, wilson_root(x[1], x[1] * (1 - x[1]) / x[2]^2, q))
}

# n, then n triples are made by a formula that the test repeats | mean se
for (n in c(7, 60, 500)) {
  i <- seq_len(n)
  g <- (i * i) %/% 11
  y <- (i * 7919) %% 13 / 12
  m <- lm(y ~ 1)
  G <- length(unique(g))
  u <- tapply(resid(m), g, sum)
  row("cluster", n, G, mean(y), sqrt(G / (G - 1) * sum(u^2)) / n)
}

# a b c d | p phi
for (x in list(c(3, 1, 1, 3), c(10, 2, 3, 15), c(0, 5, 7, 20), c(120, 90, 80, 130), c(1, 9, 11, 3), c(4, 0, 0, 9))) {
  m <- matrix(x, 2, byrow = TRUE)
  phi <- (x[1] * x[4] - x[2] * x[3]) / sqrt(prod(rowSums(m)) * prod(colSums(m)))
  row("fisher", x, fisher.test(m)$p.value, phi)
}

# k, hits, totals | chi-square p
for (x in list(list(c(3, 5, 9, 14), c(20, 20, 20, 20)), list(c(40, 35, 38), c(80, 60, 90)), list(c(0, 2, 2, 6, 7), c(5, 9, 8, 10, 8)))) {
  t <- prop.trend.test(x[[1]], x[[2]])
  row("trend", length(x[[1]]), x[[1]], x[[2]], t$statistic, t$p.value)
}

# n, p values | adjusted by Holm, adjusted by Benjamini-Hochberg
for (p in list(c(.01, .04, .03, .005), c(.5, .001, .001, .9, .04, .2), c(.7))) {
  row("adjust", length(p), p, p.adjust(p, "holm"), p.adjust(p, "BH"))
}

# a b c d level | low high: Newcombe's method 10, intervals from prop.test
newcombe <- function(a, b, c, d, level) {
  n <- a + b + c + d
  w1 <- prop.test(a + b, n, conf.level = level, correct = FALSE)
  w2 <- prop.test(a + c, n, conf.level = level, correct = FALSE)
  p1 <- (a + b) / n
  p2 <- (a + c) / n
  top <- a * d - b * c
  if (top > 0) top <- max(top - n / 2, 0)
  under <- (a + b) * (c + d) * (a + c) * (b + d)
  phi <- if (under > 0) top / sqrt(under) else 0
  side <- function(x, y) sqrt(x^2 - 2 * phi * x * y + y^2)
  dif <- p1 - p2
  c(dif - side(p1 - w1$conf.int[1], w2$conf.int[2] - p2),
    dif + side(w1$conf.int[2] - p1, p2 - w2$conf.int[1]))
}
for (x in list(c(14, 5, 0, 22), c(20, 10, 10, 20), c(2, 12, 9, 3), c(30, 0, 0, 0), c(0, 5, 0, 7), c(60, 25, 12, 45))) {
  row("newcombe", x, .95, do.call(newcombe, as.list(c(x, .95))))
}

# t interval of clustered means is the one of lm on question means where n_g = 1
x <- c(.1, -.2, .3, .05, 0, .4, -.1, .25)
row("difference", length(x), x, t.test(x)$conf.int)

# n rows (length difference, score) by formula | intercept, slope, their clustered se
for (n in c(40, 200)) {
  i <- seq_len(n)
  d <- ((i * 37) %% 101) - 45
  y <- pmin(4, pmax(0, (i * 53) %% 5 + sign(d))) / 4
  g <- (i - 1) %/% 2
  x <- tanh(d / sqrt(mean(d^2)))
  m <- glm(y ~ x, family = quasibinomial, control = list(epsilon = 1e-14, maxit = 100))
  X <- cbind(1, x)
  p <- fitted(m)
  bread <- solve(t(X) %*% (X * (p * (1 - p))))
  G <- length(unique(g))
  s <- rowsum(X * (y - p), g)
  v <- bread %*% (t(s) %*% s * G / (G - 1)) %*% bread
  row("length", n, coef(m), sqrt(diag(v)))
}

# Bradley-Terry on rows made by formula; models 1..4, first slot i, second j.
# theta_2..4 (theta_1 = 0), order, log tie (Davidson only), clustered se of all
bt_rows <- function(n) {
  i <- seq_len(n)
  first <- i %% 4
  second <- (first + 1 + (i %/% 4) %% 3) %% 4
  r <- (i * 7919 + i * i * 31) %% 97 / 97
  up <- .35 + .07 * (second - first)
  y <- ifelse(r < up, 1, ifelse(r < up + .2, 0, -1))
  list(first = first, second = second, y = y, g = (i - 1) %/% 3)
}
davidson <- function(par, d, ties) {
  theta <- c(0, par[1:3])
  eta <- theta[d$first + 1] - theta[d$second + 1] + par[4]
  if (!ties) return(ifelse(d$y == 0, .5 * plogis(eta, log.p = TRUE) + .5 * plogis(-eta, log.p = TRUE), plogis(d$y * eta, log.p = TRUE)))
  z <- exp(eta / 2) + exp(-eta / 2) + exp(par[5])
  ifelse(d$y == 0, par[5], d$y * eta / 2) - log(z)
}
gradient <- function(f, par) {
  h <- 1e-4
  sapply(seq_along(par), function(k) {
    e <- replace(numeric(length(par)), k, h)
    (8 * (f(par + e) - f(par - e)) - (f(par + 2 * e) - f(par - 2 * e))) / (12 * h)
  })
}
for (ties in c(TRUE, FALSE)) {
  d <- bt_rows(300)
  k <- if (ties) 5 else 4
  total <- function(par) -sum(davidson(par, d, ties))
  o <- optim(numeric(k), total, method = "BFGS", control = list(reltol = 1e-16, maxit = 1000))
  par <- o$par
  for (step in 1:8) {
    each <- function(p) davidson(p, d, ties)
    s <- gradient(each, par)
    hess <- gradient(function(p) colSums(gradient(each, p)), par)
    par <- par - solve(hess, colSums(s))
  }
  s <- rowsum(gradient(each, par), d$g)
  G <- nrow(s)
  v <- solve(hess) %*% (t(s) %*% s * G / (G - 1)) %*% solve(hess)
  row(if (ties) "davidson" else "half", 300, par, sqrt(diag(v)))
}

# pairs (soft, label) by formula, n, bins | Brier score
for (n in c(50)) {
  i <- seq_len(n)
  soft <- (i * 29) %% 13 / 12
  label <- (i * 17) %% 3 / 2
  row("reliability", n, mean((soft - label)^2))
}

# a 3 x 3 table by rows | kappa, its standard error by numerical derivatives
for (x in list(c(20, 5, 3, 4, 30, 6, 2, 1, 9), c(50, 0, 1, 7, 8, 0, 2, 2, 30), c(10, 10, 10, 10, 10, 10, 10, 10, 10))) {
  kappa <- function(p) {
    m <- matrix(p / sum(p), 3, byrow = TRUE)
    pe <- sum(rowSums(m) * colSums(m))
    (sum(diag(m)) - pe) / (1 - pe)
  }
  p <- x / sum(x)
  g <- gradient(kappa, p)
  row("kappa", x, kappa(p), sqrt((sum(p * g^2) - sum(p * g)^2) / sum(x)))
}
